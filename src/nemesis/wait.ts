export { becomes, seconds, within } from '../time/wait.js'
