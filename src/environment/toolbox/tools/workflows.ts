import { baseOf, type ToolParser } from '../tool.js'
import { isMapping, keysBelow, yamlOf } from '../yaml-of.js'

const places =
  /^\.github\/workflows\/[^/]+\.ya?ml$|^\.gitlab-ci\.ya?ml$|^\.circleci\/config\.ya?ml$|^\.buildkite\/[^/]+\.ya?ml$|^azure-pipelines\.ya?ml$|^\.travis\.yml$|^\.drone\.yml$|^Jenkinsfile$/

/** What runs in CI, by its name and its jobs. */
export const workflows: ToolParser = {
  matches: (file) => places.test(file),
  parse: (file, text) => {
    const data = yamlOf(text)
    const title = isMapping(data) && typeof data['name'] === 'string' ? data['name'] : baseOf(file)
    const jobs = keysBelow(data, 'jobs')
    const name = jobs.length === 0 ? title : `${title}: ${jobs.join(', ')}`
    return [{ kind: 'workflow', name, command: null, file }]
  },
}
