import { networkRules } from './network-rules.js'

networkRules({ enter: 'helper', needs: ['docker', 'busybox', 'nft'], name: 'helper container' })
