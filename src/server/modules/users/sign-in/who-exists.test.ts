import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { CodeScene } from '#shared/enums.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import type { Person, Site } from '#server/testing/site.ts'
import { openSmsSite, type SmsSite } from '#server/testing/sms/sms-site.ts'

/**
 * Every call that takes a name, a number or an address answers alike whether or not an account has it, and leaves the same
 * work behind: a job decides who gets which mail. A new call that takes one has to be placed here.
 */

type Contact = { username: string; email: string; mobile: string }
type Body = (contact: Contact, unused: string) => Record<string, unknown>

const password = 'a good password'

/** Bodies that are sent with the contact of an account, and with one that no account has. */
const alike: Record<string, Body[]> = {
  'POST /user/login': [
    ({ username }) => ({ username, password: 'a wrong guess' }),
    ({ email }) => ({ username: email, password: 'a wrong guess' }),
    ({ mobile }) => ({ username: mobile, password: 'a wrong guess' }),
  ],
  'POST /user/register': [({ email }, unused) => ({ username: unused, email, password })],
  'POST /user/email/code': [
    ({ email }) => ({ email, type: CodeScene.Register }),
    ({ email }) => ({ email, type: CodeScene.Login }),
    ({ email }) => ({ email, type: CodeScene.FindPassword }),
  ],
  'POST /user/findpassword/stepone': [({ email }) => ({ email })],
  'PUT /user/findpassword/steptwo': [({ email }) => ({ email, token: 'made-up', password })],
  'POST /user/findpassword/email': [({ email }) => ({ email, code: '000000', password })],
  'POST /user/findpassword/mobile': [({ mobile }) => ({ mobile, code: '000000', password })],
  'POST /user/login/email': [({ email }) => ({ email, code: '000000' })],
  'POST /user/login/mobile': [({ mobile }) => ({ mobile, code: '000000' })],
  'POST /user/register/mobile': [({ mobile }) => ({ mobile, code: '000000', password })],
  'POST /invitation/accept': [({ username }) => ({ token: 'made-up', username, password })],
  'POST /sms': [
    ({ mobile }) => ({ mobile, type: CodeScene.Register }),
    ({ mobile }) => ({ mobile, type: CodeScene.Login }),
    ({ mobile }) => ({ mobile, type: CodeScene.FindPassword }),
  ],
  'POST /oauth/bind': [({ email, username }) => ({ session: 'made-up', register: true, username, email })],
  'PUT /user/profile': [({ email }) => ({ email }), ({ mobile }) => ({ mobile })],
  'POST /user/mobile/code': [({ mobile }) => ({ mobile, type: CodeScene.BindMobile })],
  'PUT /user/mobile': [({ mobile }) => ({ mobile, code: '000000', password })],
}

let smsSite: SmsSite
let site: Site
let mailbox: Mailbox
let count = 0
beforeAll(async () => {
  smsSite = await openSmsSite()
  ;({ site } = smsSite)
  mailbox = await openMailbox()
  await site.configure({ ...mailbox.settings, 'system.domain': 'https://wenku.example.com' })
})
afterAll(async () => {
  await smsSite.close()
  await mailbox.close()
})

const endpoints = Object.values(contract)
  .flatMap((area): Endpoint[] => Object.values(area))
  .filter(takesContact)

test.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s is placed', (name, { access }) => {
  // Staff see accounts anyway.
  if (typeof access === 'string') expect(Object.keys(alike)).toContain(name)
})

describe.each(Object.entries(alike))('%s', (name, bodies) => {
  const verifiesAddresses = name === 'POST /user/email/code'

  test.each(bodies.map((body, index) => [index, body] as const))('answers alike (%i)', async (_index, body) => {
    await site.configure({ 'security.enable_verify_register_email': String(verifiesAddresses) })
    const known = await send(name, body, await registered())
    const unknown = await send(name, body, nextContact())
    expect(known).toEqual(unknown)
  })
})

/** The answer without what is personal in it, and the kinds of jobs that wait afterwards. */
async function send(name: string, body: Body, contact: Contact) {
  const [method = '', path = ''] = name.split(' ')
  const { token } = await site.member()
  await site.db.deleteFrom('job').execute()
  const options = { token, ip: smsSite.nextAddress(), body: body(contact, nextContact().username) }
  const { status, json } = await site.send(method, `/api/v1${path}`, options)
  const jobs = await site.db.selectFrom('job').select('kind').orderBy('kind').execute()
  return { status, reason: json.reason, message: json.message, keys: Object.keys(json).toSorted(), jobs }
}

async function registered(): Promise<Contact> {
  const contact = nextContact()
  const { id }: Person = await site.member()
  const proven = { email_verified_at: 1, mobile_verified_at: 1 }
  const columns = { username: contact.username, username_key: contact.username, email_key: contact.email, ...proven }
  const { email, mobile } = contact
  await site.db
    .updateTable('user')
    .set({ ...columns, email, mobile })
    .where('id', '=', id)
    .execute()
  return contact
}

function nextContact(): Contact {
  count += 1
  return { username: `person${count}`, email: `person${count}@example.com`, mobile: smsSite.nextMobile() }
}

function takesContact({ input }: Endpoint): boolean {
  const { shape = {} } = input as { shape?: object }
  return ['username', 'email', 'mobile'].some((key) => key in shape)
}

function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`
}
