import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { PublicSettings, settings } from '#shared/contract/settings.ts'
import { catalogue } from '#shared/settings.ts'
import { type Field } from '#shared/setting-fields.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'
import { settingsStore } from './settings.store.ts'

const { language: _, default_group: __, payment: ___, ...publicGroups } = PublicSettings.shape
const publicShape: Record<string, { shape: object }> = publicGroups
const fields = Object.entries(catalogue).flatMap(([category, group]) =>
  Object.entries<Field>(group.fields).map(([name, field]) => ({
    category,
    name,
    field,
    isPublic: name in (publicShape[category]?.shape ?? {}),
  })),
)
const isText = ({ kind }: Field) => kind === 'text' || kind === 'textarea' || kind === 'password'
type Groups = Record<string, Record<string, unknown>>

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

test('clients that show pages in steps are given a step, also on a site without steps', async () => {
  const display = async () => ((await site.send('GET', '/api/v1/settings')).json as Groups)['display']
  expect(await display()).toMatchObject({ pages_per_read: 10, reads_continuously: true })
  await site.configure({ 'display.pages_per_read': '7' })
  expect(await display()).toMatchObject({ pages_per_read: 7 })
  expect(await display()).not.toHaveProperty('reads_continuously')
  await site.configure({ 'display.pages_per_read': '0' })
})

describe('the public settings', () => {
  test('are those of the contract, and nothing else', async () => {
    const own = await openSite()
    // The bodies of mails must have certain placeholders; their subjects stand for them.
    const hidden = fields.filter(({ name, field, isPublic }) => !isPublic && isText(field) && !name.endsWith('_body'))
    expect(hidden.length).toBeGreaterThan(30)
    const shaped: Record<string, string> = { email: 'hidden-mark@example.com', link: 'https://hidden-mark.example' }
    await own.configure(
      Object.fromEntries(
        hidden.map(({ category, name, field }) => [`${category}.${name}`, shaped[field.shape ?? ''] ?? 'hidden-mark']),
      ),
    )
    const { text, json } = await own.send('GET', '/api/v1/settings')
    // The names of the credits and of ways to pay and the analytics scripts are public as well.
    expect(text.replaceAll(/"(credit_name|third_title|other_title|analytics)":"hidden-mark"/g, '')).not.toContain(
      'hidden-mark',
    )
    const { language, default_group: _group, payment, ...groups } = json as Groups
    expect(Object.keys(language ?? {})).toHaveLength(8)
    expect(Object.keys(payment ?? {}).filter((name) => !(name in PublicSettings.shape.payment.shape))).toEqual([])
    const added = new Set(['system.version', 'system.credit_name', 'system.credit_exchange', 'system.analytics'])
    added.add('display.reads_continuously')
    const sent = Object.entries(groups).flatMap(([category, values]) =>
      Object.keys(values).map((name) => `${category}.${name}`),
    )
    const open = new Set(fields.filter(({ isPublic }) => isPublic).map(({ category, name }) => `${category}.${name}`))
    expect(sent.filter((path) => !open.has(path) && !added.has(path))).toEqual([])
    await own.close()
  })

  test('have the defaults of a new site, without zero values', async () => {
    const own = await openSite()
    const { json } = await own.send('GET', '/api/v1/settings')
    const sent = json as Groups
    const quiet = /^enable_captcha_|^copyright_start_year$|^pages_per_read$/
    for (const { category, name, field } of fields.filter((setting) => setting.isPublic && !quiet.test(setting.name))) {
      const isZero = [0, false, ''].includes(field.default as never) || (field.default as unknown[]).length === 0
      expect(sent[category]?.[name], `${category}.${name}`).toEqual(isZero ? undefined : field.default)
    }
    await own.close()
  })

  test('the site’s name stands in every text that nobody has changed, also after the form was saved', async () => {
    const own = await openSite()
    onTestFinished(() => own.close())
    const form = async (changes: Record<string, string>) => {
      const { config } = await own.root.call(settings.list, { category: ['system'] })
      const sent = config.map(({ category, name, value }) => ({ category, name, value: changes[name] ?? value }))
      await own.root.call(settings.update, { config: sent })
      return (await own.call(settings.get)).system
    }
    expect(await form({ sitename: '青禾' })).toMatchObject({
      title: '青禾 · 文库',
      keywords: '青禾,文库,文档,资料,下载',
      description: '在青禾上传、阅读、搜索和下载文档，分享知识。',
    })
    expect(await form({ sitename: '南山文库' })).toMatchObject({
      title: '南山文库',
      keywords: '南山文库,文档,资料,下载',
      description: '在南山文库上传、阅读、搜索和下载文档，分享知识。',
    })
    expect(await form({ title: '南山，读书的地方' })).toMatchObject({ title: '南山，读书的地方' })
    expect(await form({ sitename: '北海' })).toMatchObject({
      title: '南山，读书的地方',
      keywords: '北海,文库,文档,资料,下载',
    })
    const { text } = await own.send('GET', '/manifest.webmanifest')
    expect(text).toContain('"name":"北海"')
    expect(text).toContain('在北海上传、阅读、搜索和下载文档，分享知识。')
  })

  test('leave out empty lists', async () => {
    const before = (await site.send('GET', '/api/v1/settings')).json as Groups
    expect(before.system).not.toHaveProperty('recommend_words')
    expect(before.security).not.toHaveProperty('document_allowed_ext')
    await site.configure({
      'system.recommend_words': '论文， 简历,,合同\n',
      'security.document_allowed_ext': '.pdf,.docx',
    })
    const after = (await site.send('GET', '/api/v1/settings')).json as Groups
    expect(after.system?.recommend_words).toEqual(['论文', '简历', '合同'])
    expect(after.security?.document_allowed_ext).toEqual(['.pdf', '.docx'])
    await site.configure({ 'system.recommend_words': '', 'security.document_allowed_ext': ' , ' })
    const { text } = await site.send('GET', '/api/v1/settings')
    expect(text).not.toMatch(/recommend_words|document_allowed_ext|\[\]/)
  })

  test('always have the style of the home page', async () => {
    expect((await site.call(settings.get)).display.home_version).toBe('v1')
    expect(await refused({ 'display.home_version': '' })).toBe('settings.wrongValue')
  })

  test('have the year in which the copyright starts: this one unless the owner says otherwise', async () => {
    const year = async () => (await site.call(settings.get)).system.copyright_start_year
    expect(await year()).toBe(String(new Date().getFullYear()))
    await site.configure({ 'system.copyright_start_year': '1998' })
    expect(await year()).toBe('1998')
    await site.configure({ 'system.copyright_start_year': '' })
  })

  test('have a name for credits, whatever the owner leaves empty', async () => {
    const name = async () => (await site.call(settings.get)).system.credit_name
    await site.configure({ 'score.credit_name': '贝壳' })
    expect(await name()).toBe('贝壳')
    await site.configure({ 'score.credit_name': '' })
    expect(await name()).toBe('豆子')
    await site.configure({ 'score.credit_name': '豆子' })
  })

  test('have what members need to know to buy credits', async () => {
    const payment = async () => (await site.call(settings.get)).payment
    expect(await payment()).toMatchObject({ enable_cash: false, topup_amounts: ['50', '100', '500', '1000'] })
    await site.configure({ 'pay.enable_cash': 'true', 'pay.topup_bonus': '500+50', 'pay.test_mode': 'true' })
    expect(await payment()).toMatchObject({ enable_cash: true, topup_bonus: ['500+50'], test_mode: true })
    await site.configure({ 'pay.enable_cash': 'false', 'pay.topup_bonus': '', 'pay.test_mode': 'false' })
    await site.configure({ 'score.credit_exchange': '100', 'score.show_exchange': 'true' })
    expect((await site.call(settings.get)).system).toMatchObject({ credit_exchange: 100, show_exchange: true })
    await site.configure({ 'score.credit_exchange': '10', 'score.show_exchange': 'false' })
  })

  test('say what cards cost and what can be paid with', async () => {
    const site = await openSite()
    onTestFinished(() => site.close())
    await site.configure({
      'vip.enable': 'true',
      'vip.year_price': '9900',
      // Alipay has no keys: no buyer could pay with it.
      'pay.enable_alipay': 'true',
      'pay.enable_bank_card': 'true',
      'pay.bank_card_text': '账号 6222',
      'pay.wechat_api_key': 'secret-of-the-merchant-012345678',
      'download.enable_code_download': 'true',
      'download.code_tip': '<b>扫码</b>领取<script>alert(1)</script>',
    })
    const shown = await site.call(settings.get)
    expect(shown.vip).toMatchObject({ enable: true, icon: '', year_price: 9900, month_document_discount: 80 })
    expect(shown.vip).not.toHaveProperty('remind_days')
    expect(shown.payment).toMatchObject({
      enable_wechatpay: false,
      enable_mp_wechatpay: false,
      enable_alipay: false,
      enable_thirdpay: false,
      enable_bankcard: true,
      enable_cash: false,
      enable_other: false,
    })
    expect(shown.download).toMatchObject({ enable_code_download: true, code_tip: '<b>扫码</b>领取' })
    expect((await site.send('GET', '/api/v1/settings')).text).not.toContain('secret-of-the-merchant')
  })

  test('have a watermark only while pages have one', async () => {
    await site.configure({ 'system.watermark': '内部资料', 'system.enable_watermark': 'false' })
    expect((await site.call(settings.get)).system.watermark).toBe('')
    await site.configure({ 'system.enable_watermark': 'true' })
    expect((await site.call(settings.get)).system.watermark).toBe('内部资料')
    await site.configure({ 'system.enable_watermark': 'false', 'system.watermark': '' })
  })

  test('have the version only if the owner allows it', async () => {
    expect((await site.call(settings.get)).system.version).toMatch(/^\d+\.\d+\.\d+/)
    await site.configure({ 'system.enable_powered_by': 'false' })
    expect((await site.call(settings.get)).system.version).toBe('')
    await site.configure({ 'system.enable_powered_by': 'true' })
  })

  test.each([
    ['<script>alert(1)</script>维护中', '维护中'],
    ['<img src=x onerror=alert(1)>', '<img src="x" />'],
    ['<a href="javascript:alert(1)" onclick="x()">去</a>', '<a rel="noopener noreferrer nofollow">去</a>'],
    ['<a href="JaVaScRiPt&#58;alert(1)">去</a>', '<a rel="noopener noreferrer nofollow">去</a>'],
    ['<a href="data:text/html,x">去</a>', '<a rel="noopener noreferrer nofollow">去</a>'],
    ['<svg onload=alert(1)><p>图</p></svg>', '<p>图</p>'],
    ['<iframe srcdoc="<script>1</script>"></iframe>完', '完'],
    ['<p style="position:fixed;inset:0">盖</p>', '<p>盖</p>'],
    ['<style>body{display:none}</style>在', '在'],
    ['<form action=//evil.example><input name=p></form>', ''],
    ['<math><mtext><script>alert(1)</script></mtext></math>', ''],
    [
      '<b>粗</b> &amp; <a href="https://example.com">好</a>',
      '<b>粗</b> &amp; <a href="https://example.com" rel="noopener noreferrer nofollow">好</a>',
    ],
  ])('have sanitized HTML: %s', async (html, expected) => {
    await site.configure({ 'security.close_statement': html, 'display.copyright_statement': html })
    const { security, display } = await site.call(settings.get)
    expect(security.close_statement).toBe(expected)
    expect(display.copyright_statement).toBe(expected)
  })
})

describe('secrets', () => {
  const secrets = fields.filter(({ field }) => field.secret)

  test('can be written and not read', async () => {
    const own = await openSite()
    await own.configure(Object.fromEntries(secrets.map(({ category, name }) => [`${category}.${name}`, 'hush-hush'])))
    const { text, json } = await own.send('GET', '/api/v1/config/list', { token: own.root.token })
    expect(text).not.toContain('hush-hush')
    const rows = json.config as { category: string; name: string; value?: string }[]
    const masked = rows.filter((row) =>
      secrets.some((secret) => secret.category === row.category && secret.name === row.name),
    )
    expect(masked).toHaveLength(secrets.length)
    expect(new Set(masked.map(({ value }) => value))).toEqual(new Set(['******']))
    expect((await own.send('GET', '/api/v1/settings')).text).not.toContain('hush-hush')
    await own.close()
  })

  test('that are not set are empty', async () => {
    expect(await readValue('pay', 'wechat_api_key')).toBe('')
  })

  test('stay if the mask is sent back, and are removed if they are empty', async () => {
    await site.configure({ 'sms.access_secret': 'hush-hush' })
    await site.configure({ 'sms.access_secret': '******', 'sms.access_key': 'key' })
    expect((await site.app.context()).settings.sms).toMatchObject({ access_secret: 'hush-hush', access_key: 'key' })
    await site.configure({ 'sms.access_secret': '' })
    expect((await site.app.context()).settings.sms.access_secret).toBe('')
    expect(await readValue('sms', 'access_secret')).toBe('')
  })
})

describe('a change', () => {
  test('is seen by the next request', async () => {
    await site.configure({ 'system.sitename': '新的名字' })
    expect((await site.call(settings.get)).system.sitename).toBe('新的名字')
    expect(await readValue('system', 'sitename')).toBe('新的名字')
  })

  test('is seen by another process', async () => {
    const sibling = await site.openSecondProcess()
    const name = '各处相同'
    const readName = async () => {
      const response = await sibling.fetch(new Request('http://localhost/api/v1/settings'))
      return ((await response.json()) as Groups).system?.sitename
    }
    expect(await readName()).not.toBe(name)
    await site.configure({ 'system.sitename': name })
    await expect.poll(readName).toBe(name)
  })

  test('is seen by another process after at most 200 ms', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const otherStore = settingsStore(site.db, await site.app.context())
    const readName = async () => (await otherStore.current()).system.sitename
    const before = await readName()
    await site.configure({ 'system.sitename': '稍后相同' })
    vi.setSystemTime(Date.now() + 199)
    expect(await readName()).toBe(before)
    vi.setSystemTime(Date.now() + 1)
    expect(await readName()).toBe('稍后相同')
  })

  test('is refused as a whole when one value is wrong', async () => {
    const before = await site.call(settings.get)
    expect(await refused({ 'system.sitename': 'half', 'captcha.length': '99' })).toBe('settings.wrongValue')
    expect(await refused({ 'system.sitename': 'half', 'system.no_such': 'x' })).toBe('settings.unknown')
    expect(await site.call(settings.get)).toEqual(before)
  })

  test.each([
    ['captcha.length', '4.5'],
    ['captcha.length', 'five'],
    ['captcha.length', '3'],
    ['captcha.length', '1e99'],
    ['email.port', '65536'],
    ['captcha.type', 'riddle'],
    ['captcha.type', '__proto__'],
    ['security.is_close', 'maybe'],
    ['security.is_close', 'yes'],
    ['system.theme_color', 'red;}body{display:none'],
    ['system.theme_color', '#12345'],
    ['system.copyright_start_year', '20x6'],
    ['system.domain', 'wenku.example.com'],
    ['system.domain', 'https://wenku.example.com/'],
    ['system.domain', 'https://user@evil.example'],
    ['system.logo', 'javascript:alert(1)'],
    ['system.favicon', 'data:image/svg+xml,<svg/onload=alert(1)>'],
    ['footer.about', 'JAVASCRIPT:alert(1)'],
    ['footer.about', '//evil.example'],
    ['footer.about', '/\\evil.example'],
    ['display.contact_link', ' \u0001javascript:alert(1)'],
    ['email.test_email', 'a,b@example.com'],
    ['system.description', 'x'.repeat(20_001)],
    ['pay.topup_amounts', '50,0'],
    ['pay.topup_amounts', '50,-100'],
    ['pay.topup_amounts', '50,1.5'],
    ['pay.topup_amounts', '50,1e3'],
    ['pay.topup_amounts', '五十'],
    ['pay.topup_bonus', '500-50'],
    ['pay.topup_bonus', '500+50,500+60'],
  ])('is refused: %s = %j', async (path, value) => {
    expect(await refused({ [path]: value })).toBe('settings.wrongValue')
  })

  test('that is refused is explained at its field', async () => {
    const attempt = site.configure({ 'pay.topup_bonus': '500+50,1000' })
    const [detail] = (await refusal(attempt)).details
    expect(detail).toMatchObject({
      field: 'pay.topup_bonus',
      message: expect.stringMatching(/^充值赠送：看不懂“1000”/),
    })
  })

  test('of the top-ups is in force', async () => {
    await site.configure({ 'pay.topup_amounts': '20, 200', 'pay.topup_bonus': '200+30，500 + 100' })
    const { payment } = await site.call(settings.get)
    expect(payment).toMatchObject({ topup_amounts: ['20', '200'], topup_bonus: ['200+30', '500 + 100'] })
  })

  test.each([
    ['system', 'no_such_key'],
    ['no_such_group', 'title'],
    ['__proto__', 'polluted'],
    ['system', '__proto__'],
    ['constructor', 'name'],
  ])('is refused: there is no %s.%s', async (category, name) => {
    const attempt = site.root.call(settings.update, { config: [{ category, name, value: 'x' }] })
    expect(await refusal(attempt)).toMatchObject({ status: 400, reason: 'settings.unknown' })
    expect({}).not.toHaveProperty('polluted')
  })

  test('of the stored release is refused', async () => {
    const attempt = site.root.call(settings.update, {
      config: [{ category: 'release', name: 'source', value: 'gitee' }],
    })
    expect(await refusal(attempt)).toMatchObject({ status: 403, reason: 'settings.readOnly' })
  })

  test.each([
    ['1', true],
    ['true', true],
    ['0', false],
    ['false', false],
    ['', false],
  ])('of a switch may be %j', async (text, on) => {
    await site.configure({ 'display.show_index_categories': text })
    expect((await site.call(settings.get)).display.show_index_categories).toBe(on)
  })

  test('may contain the whole row, as the screens send it', async () => {
    const { json } = await site.send('GET', '/api/v1/config/list?category=footer', { token: site.root.token })
    const { status } = await site.send('PUT', '/api/v1/config', { token: site.root.token, body: json })
    expect(status).toBe(200)
    expect(await readValue('footer', 'about')).toBe('/article/about')
  })
})

describe('the rows for the screens', () => {
  test('are filtered by group, in the order of the catalogue', async () => {
    const { config } = await site.root.call(settings.list, { category: ['captcha', 'footer'] })
    const names = (group: object) => Object.keys(group)
    expect(config.map(({ name }) => name)).toEqual([
      ...names(catalogue.footer.fields),
      ...names(catalogue.captcha.fields),
    ])
    expect(config.map(({ sort }) => sort)).toEqual(config.map(({ sort }) => sort).toSorted((a, b) => a - b))
  })

  test('are all rows without a filter, and none of an unknown group', async () => {
    expect((await site.root.call(settings.list)).config).toHaveLength(fields.length)
    expect((await site.root.call(settings.list, { category: ['__proto__', 'nowhere'] })).config).toEqual([])
  })

  test('have a label and help', async () => {
    const { config } = await site.root.call(settings.list, { category: ['captcha'] })
    expect(config[0]).toMatchObject({
      label: '类型',
      input_type: 'select',
      options: 'digit:数字\nstring:字母和数字\nmath:算式\naudio:语音',
    })
    expect(config.every(({ id, col_num }) => id > 0 && col_num > 0)).toBe(true)
  })

  test('have options wherever one chooses', async () => {
    const { config } = await site.root.call(settings.list)
    const chosen = config.filter(({ input_type }) => input_type.startsWith('select'))
    expect(chosen.length).toBeGreaterThan(3)
    expect(chosen.filter(({ options }) => options === '').map(({ name }) => name)).toEqual([])
    const find = (name: string) => config.find((row) => row.name === name)
    expect(find('recommend_words')).toMatchObject({ input_type: 'text' })
    expect(find('document_allowed_ext')?.options.split('\n')).toContain('.pdf:.pdf')
  })
})

async function refused(values: Record<string, string>): Promise<string> {
  const { status, reason } = await refusal(site.configure(values))
  expect(status).toBe(400)
  return reason
}

async function readValue(category: string, name: string): Promise<string | undefined> {
  const { config } = await site.root.call(settings.list, { category: [category] })
  return config.find((row) => row.name === name)?.value
}

test('money stays in its small unit on the wire, where the label says so; the audit log has yuan', async () => {
  const { config } = await site.root.call(settings.list, { category: ['vip'] })
  const price = config.find(({ name }) => name === 'year_price')
  expect(price).toMatchObject({ label: '年卡价格（分）', value: '19900', placeholder: '1 元是 100 分；0 表示不出售' })
  const change = (value: string) =>
    site.root.call(settings.update, { config: [{ category: 'vip', name: 'year_price', value }] })
  await expect(change('1990.5')).rejects.toThrow('年卡价格：请输入整数')
  await change('19991')
  const [audit] = (await site.root.call(audits.list, { size: 10 })).audit
  expect(audit?.change).toBe('VIP 设置 · 年卡价格: 199.00 元 → 199.91 元')
  await change('19900')
})
