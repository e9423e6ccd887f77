import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openFile, startBrowser, type OpenedPage } from '../../../support/browser.js'
import { requires } from '../../../support/requirements.js'
import { temporaryDirectory } from '../../../support/temporary.js'
import { history, violated } from '../../violated.js'
import { scenarioRecord } from '../../../session/records.js'
import { hostileTexts, pageOf, pageWith } from './pages.js'

/** Opens everything that is folded. */
const openDetails = `for (const details of document.querySelectorAll('details')) details.open = true`

requires('chromium')('report.html in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser.close())

  async function open(html: string, options: BrowserContextOptions = {}): Promise<OpenedPage> {
    const file = join(await temporaryDirectory(), 'report.html')
    await writeFile(file, html)
    return openFile(browser, file, options)
  }

  const ordinary = pageOf(
    [
      violated(null),
      scenarioRecord({ id: 'S3', name: 'passed' }),
      scenarioRecord({
        id: 'S4',
        name: 'open',
        ruling: { verdict: 'INCONCLUSIVE-env', row: 2, reason: 'no engine' },
        runs: [],
      }),
    ],
    history,
  )

  it('asks for nothing but itself and complains of nothing', async () => {
    const { page, requests, complaints } = await open(ordinary)
    expect(await page.title()).toBe('FAIL: findings of quorum')
    expect(requests).toHaveLength(1)
    expect(complaints).toEqual([])
  })

  it('runs no script of its texts, whatever they are', async () => {
    const elements = async (text: string) => {
      const { page, requests, complaints } = await open(pageWith(text))
      // Everything that a reader may do: open, hover, focus, follow no link.
      await page.evaluate(openDetails)
      for (const mark of (await page.locator('.fault, .op').all()).slice(0, 4))
        await mark.hover({ force: true })
      await page.locator('.area').first().focus()
      for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'End']) await page.keyboard.press(key)
      const seen = await page.evaluate(`({
        pwned: 'pwned' in window,
        names: [...document.querySelectorAll('*')].map(({ localName }) => localName),
        links: [...document.querySelectorAll('[href]')].map((one) => one.getAttribute('href')).filter((href) => /^[a-z]+:|^\\/\\//i.test(href)),
      })`)
      await page.context().close()
      return { ...(seen as { pwned: boolean; names: string[]; links: string[] }), requests, complaints }
    }
    const plain = await elements('plain')
    const third = Math.ceil(hostileTexts.length / 3)
    for (const from of [0, third, 2 * third]) {
      const text = hostileTexts.slice(from, from + third).join(' ')
      const { pwned, names, links, requests, complaints } = await elements(text)
      expect({ text, pwned, links, complaints, requests: requests.length }).toEqual({
        text,
        pwned: false,
        links: [],
        complaints: [],
        requests: 1,
      })
      expect(names).toEqual(plain.names)
    }
  })

  it('would not run a script even if one came in', async () => {
    const { page } = await open(ordinary.replace('<main', '<script>window.pwned = 1</script><main'))
    expect(await page.evaluate(`'pwned' in window`)).toBe(false)
    // Its own still works.
    expect(await page.locator('.zoom select').count()).toBeGreaterThan(0)
    const assigned = page.evaluate(`document.body.innerHTML = '<img src=x onerror="window.pwned = 1">'`)
    await expect(assigned).rejects.toThrow('TrustedHTML')
  })

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('is accessible, %s and %i px wide', async (colorScheme, width) => {
    const { page } = await open(ordinary, { colorScheme, viewport: { width, height: 800 } })
    await page.evaluate(openDetails)
    await page.evaluate(axe.source)
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    const { violations, passes } = await page.evaluate<AxeResults>(
      `axe.run({ runOnly: { type: 'tag', values: ${JSON.stringify(tags)} } })`,
    )
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`),
    ).toEqual([])
    expect(passes.map(({ id }) => id)).toContain('color-contrast')
  })

  it.each([360, 768, 1920])('never scrolls sideways as a whole, %i px wide', async (width) => {
    const { page } = await open(pageWith('a'.repeat(300)), { viewport: { width, height: 800 } })
    await page.evaluate(openDetails)
    expect(await page.evaluate(`document.documentElement.scrollWidth`)).toBe(width)
  })

  it('tells operations and faults by the keyboard alone', async () => {
    const { page } = await open(ordinary)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(`document.activeElement.textContent`)).toBe('Skip to the findings')
    const area = page.getByRole('group', { name: /^Operations of each process/ }).first()
    await area.focus()
    // The page scrolls to it, and that ends what is told; the event comes with the next frame.
    await page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`)
    const reading = page.getByRole('status')
    await page.keyboard.press('ArrowRight')
    expect(await reading.textContent()).toBe(
      'F1 partition (n1 | n2, n3): landed at 1.020 s, healed at 3.000 s',
    )
    await page.keyboard.press('ArrowRight')
    expect(await reading.textContent()).toBe(
      'op 7 (counterexample): write(key "k0", 4), process 0, at 1.100 s, took 1 ms, ok, answered by n1, under F1',
    )
    await page.keyboard.press('ArrowRight')
    expect(await reading.textContent()).toContain('no answer, unknown: timeout after 1 s')
    await page.keyboard.press('Escape')
    expect(await reading.textContent()).toBe('')
  })

  it('tells the operation under the pointer', async () => {
    const { page } = await open(ordinary)
    const status = page.getByRole('status')
    // Coming to it may scroll the page, which ends what was told before.
    const told = async () => {
      await page.mouse.move(0, 0)
      await page.locator('figure.plot .op').first().hover()
      return status.textContent()
    }
    await expect.poll(told).toMatch(/^op 7 /)
    await page.mouse.move(0, 0)
    await expect.poll(() => status.textContent()).toBe('')
  })

  it('stretches the time of all plots of a run together', async () => {
    const { page } = await open(ordinary)
    const widths = () =>
      page.evaluate(
        `[...document.querySelector('[data-run]').querySelectorAll('.area')].map((area) => Math.round(area.scrollWidth / area.clientWidth))`,
      )
    expect(await widths()).toEqual([1, 1, 1])
    await page.locator('.zoom select').first().selectOption('5')
    expect(await widths()).toEqual([5, 5, 5])
    await page.evaluate(`document.querySelector('.area').scrollLeft = 300`)
    await expect
      .poll(() =>
        page.evaluate(`[...document.querySelectorAll('.area')].slice(0, 3).map((area) => area.scrollLeft)`),
      )
      .toEqual([300, 300, 300])
  })

  it('prints on white paper without what only a screen can do', async () => {
    const { page } = await open(ordinary, { colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print' })
    expect(await page.evaluate(`getComputedStyle(document.body).backgroundColor`)).toBe('rgb(255, 255, 255)')
    expect(await page.locator('.zoom').first().isVisible()).toBe(false)
    expect((await page.pdf()).length).toBeGreaterThan(10_000)
  })

  it('holds together without its script', async () => {
    const { page } = await open(ordinary, { javaScriptEnabled: false })
    const operations = page.locator('summary', { hasText: 'operations that are drawn, as a table' }).first()
    await operations.click()
    expect(await page.locator('table[data-operations] tbody tr').first().isVisible()).toBe(true)
  })
})
