import { requires } from '../support/requirements.js'
import { halfAMinuteOf } from './random-faults.js'

const needs = requires('linux', 'root', 'fuse', 'postgres', 'nft')

needs('examples/random-faults on PostgreSQL', () => halfAMinuteOf('postgres', 'S3', { checked: 2 }))
