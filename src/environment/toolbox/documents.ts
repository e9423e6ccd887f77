const documents = /\.(?:md|mdx|markdown|txt|rst|adoc)$/i
const notDocuments = /(?:^|\/)(?:requirements[\w-]*|CMakeLists|robots)\.txt$/i

/** True for prose: a file that nothing compiles or runs. */
export function isDocument(file: string): boolean {
  return documents.test(file) && !notDocuments.test(file)
}
