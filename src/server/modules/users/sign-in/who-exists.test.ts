import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { invitations } from '#shared/contract/invitations.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { CodeScene } from '#shared/enums.ts'
import { nameKey } from '#shared/names.ts'
import { fingerprint } from '#server/keys.ts'
import { issueTicket } from '#server/modules/oauth/tickets.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import type { Person, Site } from '#server/testing/site.ts'
import { openSmsSite, type SmsSite } from '#server/testing/sms/sms-site.ts'

/**
 * Every call that takes a number or an address answers alike whether or not an account has it, and leaves the same work
 * behind: a job decides who gets which mail. Names are public (docs/decisions/0034): the calls that give somebody a name say
 * that it is taken, and can be asked a few times only. A new call that takes one of the three has to be placed here.
 */

type Contact = { username: string; email: string; mobile: string }
type Body = (contact: Contact, unused: string) => Record<string, unknown> | Promise<Record<string, unknown>>

const password = 'a good password'
const contactKeys = ['username', 'user_name', 'email', 'mail', 'mobile', 'phone', 'account', 'recipient']

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
  'PUT /user/findpassword/steptwo': [
    ({ email }) => ({ email, token: 'made-up', password }),
    async ({ email }) => ({ email, token: await linkOfAnother(), password }),
  ],
  'POST /user/findpassword/email': [({ email }) => ({ email, code: '000000', password })],
  'POST /user/findpassword/mobile': [({ mobile }) => ({ mobile, code: '000000', password })],
  'POST /user/login/email': [({ email }) => ({ email, code: '000000' })],
  'POST /user/login/mobile': [({ mobile }) => ({ mobile, code: '000000' })],
  'POST /user/register/mobile': [({ mobile }) => ({ mobile, code: '000000', password })],
  // A good one was mailed to the holder of its address, who may learn that another account has it.
  'POST /invitation/accept': [({ username }) => ({ token: 'made-up', username, password })],
  'POST /sms': [
    ({ mobile }) => ({ mobile, type: CodeScene.Register }),
    ({ mobile }) => ({ mobile, type: CodeScene.Login }),
    ({ mobile }) => ({ mobile, type: CodeScene.FindPassword }),
  ],
  'POST /oauth/bind': [
    ({ email, username }) => ({ session: 'made-up', register: true, username, email }),
    async ({ email }, unused) => ({ session: await newPerson(), register: true, username: unused, email }),
    async ({ username }) => ({ session: await newPerson(), username, password: 'a wrong guess' }),
    async ({ email }) => ({ session: await newPerson(), username: email, password: 'a wrong guess' }),
    async ({ mobile }) => ({ session: await newPerson(), username: mobile, password: 'a wrong guess' }),
  ],
  'PUT /user/profile': [({ email }) => ({ email }), ({ mobile }) => ({ mobile })],
  'POST /user/mobile/code': [({ mobile }) => ({ mobile, type: CodeScene.BindMobile })],
  'PUT /user/mobile': [({ mobile }) => ({ mobile, code: '000000', password })],
}

interface NameCall {
  body: (username: string) => Record<string, unknown> | Promise<Record<string, unknown>>
  /** How often one network or member is told, before it has to wait. */
  times: number
  refused: string
}

/** The calls that say that a name is taken. */
const tellNames: Record<string, NameCall> = {
  'POST /user/register': {
    body: (username) => ({ username, email: nextContact().email, password }),
    times: 60,
    refused: 'users.slowDown',
  },
  'POST /oauth/bind': {
    body: async (username) => ({ session: await newPerson(), register: true, username, email: '' }),
    times: 60,
    refused: 'users.slowDown',
  },
  'POST /invitation/accept': {
    body: async (username) => ({ token: await invite(), username, password }),
    times: 30,
    refused: 'users.slowDown',
  },
  'PUT /user/profile': { body: (username) => ({ username }), times: 5, refused: 'users.renamedTooOften' },
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
  // Its `email` is a switch.
  .filter((endpoint) => nameOf(endpoint) !== 'PUT /notification/choice')

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

describe.each(Object.entries(tellNames))('%s', (name, { body, times, refused }) => {
  test(`says at most ${times} times that a name is taken`, async () => {
    const [method = '', path = ''] = name.split(' ')
    const [{ username }, { token }, ip] = [await registered(), await site.member(), smsSite.nextAddress()]
    // Only members have a profile; the others register.
    const asker = method === 'PUT' ? { token, ip } : { ip }
    const ask = async () => (await site.send(method, `/api/v1${path}`, { ...asker, body: await body(username) })).json
    for (let time = 0; time < times; time += 1) expect(await ask()).toMatchObject({ reason: 'users.nameTaken' })
    expect(await ask()).toMatchObject({ reason: refused })
  })
})

test('no other call takes a name', () => {
  const named = endpoints.filter(({ access, input }) => typeof access === 'string' && keysIn(input).has('username'))
  // A log-in answers alike.
  expect(
    named
      .map(nameOf)
      .filter((name) => name !== 'POST /user/login')
      .toSorted(),
  ).toEqual(Object.keys(tellNames).toSorted())
})

/** The answer without what is personal in it, and the kinds of jobs that wait afterwards. */
async function send(name: string, body: Body, contact: Contact) {
  const [method = '', path = ''] = name.split(' ')
  const { token } = await site.member()
  const content = await body(contact, nextContact().username)
  await site.db.deleteFrom('job').execute()
  // Binding and registering are for visitors.
  const options = { ...(path !== '/oauth/bind' && { token }), ip: smsSite.nextAddress(), body: content }
  const { status, json } = await site.send(method, `/api/v1${path}`, options)
  const jobs = await site.db.selectFrom('job').select('kind').orderBy('kind').execute()
  return { status, reason: json.reason, message: json.message, keys: Object.keys(json).toSorted(), jobs }
}

async function registered(): Promise<Contact> {
  const contact = nextContact()
  const { id }: Person = await site.member()
  const proven = { email_verified_at: 1, mobile_verified_at: 1 }
  const columns = {
    username: contact.username,
    username_key: nameKey(contact.username),
    email_key: contact.email,
    ...proven,
  }
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

/** A ticket whose person no account knows. */
async function newPerson(): Promise<string> {
  count += 1
  const person = { issuer: '', openid: `person-${count}`, unionid: '', name: '', avatar: '', email: '' }
  return (await issueTicket(await site.app.context(), { type: 'github', ...person })).session
}

/** A link that was mailed to the address of another account. */
async function linkOfAnother(): Promise<string> {
  const { id } = await site.member()
  const token = `link ${(count += 1)}`
  const email = `another${count}@example.com`
  await site.db.updateTable('user').set({ email, email_key: email }).where('id', '=', id).execute()
  const expires_at = (await site.app.context()).now() + 60_000
  await site.db
    .insertInto('reset_token')
    .values({ hash: fingerprint(token), user_id: id, email, expires_at })
    .execute()
  return token
}

async function invite(): Promise<string> {
  const { link } = await site.root.call(invitations.create, { group_id: [2], email: '' })
  return new URL(link).searchParams.get('token') ?? ''
}

function takesContact({ input }: Endpoint): boolean {
  const keys = keysIn(input)
  return contactKeys.some((key) => keys.has(key))
}

interface Schema {
  def?: { shape?: Record<string, Schema>; innerType?: Schema; element?: Schema; options?: Schema[]; in?: Schema }
}

/** The names of all values in an input, however deep they are. */
function keysIn(schema: unknown): Set<string> {
  const { shape = {}, innerType, element, options = [], in: piped } = (schema as Schema).def ?? {}
  const inner = [...Object.values(shape), innerType, element, ...options, piped].filter((each) => each !== undefined)
  return new Set([...Object.keys(shape), ...inner.flatMap((each) => [...keysIn(each)])])
}

function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`
}
