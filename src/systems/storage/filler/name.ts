/** The name of the file that takes up the space of a small file system. */
export const fillerName = '.nemesis-filler'

/** The name of the file by which it is tried out, beside the filler, whether there is space. */
export const probeName = '.nemesis-probe'
