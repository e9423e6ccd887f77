import { requires } from '../support/requirements.js'
import { halfAMinuteOf } from './random-faults.js'

const needs = requires('docker', 'root', 'fuse', 'redis', 'nft', 'busybox')

needs('examples/random-faults on Redis with sentinels', () => halfAMinuteOf('redis', 'S2', { checked: 2 }))
