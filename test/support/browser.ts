import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The first Chromium on the PATH; null when there is none. */
export function chromiumOnPath(): string | null {
  const directories = (process.env['PATH'] ?? '').split(delimiter)
  const files = names.flatMap((name) => directories.map((directory) => join(directory, name)))
  return files.find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    // Not there, or not to be run by us: not the browser that is looked for.
    return false
  }
}

/** Starts the Chromium of the PATH without a window. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = chromiumOnPath()
  if (executablePath === null) throw new Error('no Chromium on the PATH')
  const { chromium } = await import('playwright-core')
  // Its sandbox does not work for root; the pages are ours.
  return chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: 60_000 })
}

/** A page that is opened from a file, and what went on in it. */
export interface OpenedPage {
  readonly page: Page
  /** Addresses that it asked for. */
  readonly requests: string[]
  /** What it complained of: console messages, errors, dialogs. */
  readonly complaints: string[]
}

/** Opens a file in a context of its own. */
export async function openFile(
  browser: Browser,
  file: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    return dialog.dismiss()
  })
  await page.goto(pathToFileURL(file).href, { waitUntil: 'load', timeout: 60_000 })
  return { page, requests, complaints }
}
