import { requires } from '../support/requirements.js'
import { halfAMinuteOf } from './random-faults.js'

const needs = requires('docker', 'root', 'fuse', 'etcd', 'nft', 'busybox')

needs('examples/random-faults on etcd', () => halfAMinuteOf('etcd', 'S1', { checked: 1 }))
