/** The name of the file that takes up the space of a small file system. */
export const fillerName = '.nemesis-filler'
