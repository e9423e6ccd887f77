import { createHash } from 'node:crypto'
import type { ElementContent } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { h } from 'hastscript'
import { inert } from './inert.js'
import { script } from './script.js'
import { style } from './style.js'

/** A whole page in one file, which loads nothing, sends nothing, and runs no script but its own. */
export function htmlDocument(title: string, body: readonly ElementContent[]): string {
  const page = h('html', { lang: 'en' }, [
    h('head', [
      h('meta', { charSet: 'utf-8' }),
      h('meta', { httpEquiv: 'Content-Security-Policy', content: policy }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('meta', { name: 'referrer', content: 'no-referrer' }),
      h('title', title),
      h('style', style),
    ]),
    h('body', [...body, h('script', script)]),
  ])
  return `<!doctype html>\n${toHtml(inert(page))}\n`
}

/** Only the style and the script whose digests these are; nothing is fetched, and no text can become markup or code. */
const policy = [
  "default-src 'none'",
  `style-src '${digest(style)}'`,
  `script-src '${digest(script)}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
