// Storage faults through disks of our own, on redis-server: a FUSE file system, and ext4 on a loop device.
import { onRedis } from './redis.mjs'

const window = { at: '1s', for: '2s' }
const fuse = { mechanism: 'FUSE disk', disk: 'fuse' }

export default [
  ...onRedis('power-loss', { node: 'n1', ...window }, fuse),
  ...onRedis('power-loss', { node: 'n1', ...window }, { mechanism: 'loop disk', disk: 'loop' }),
  ...onRedis('bit-flip', { node: 'n1', on: 'write', oneIn: 5, ...window }, fuse),
  ...onRedis('disk-full', { node: 'n1', ...window }, fuse),
  ...onRedis('slow-disk', { node: 'n1', delay: '300ms', ...window }, fuse),
  ...onRedis('fsync-failure', { node: 'n1', restart: true, ...window }, fuse),
]
