import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codes } from '#shared/contract/codes.ts'
import { contract } from '#shared/contract/contract.ts'
import { credits } from '#shared/contract/credits.ts'
import { documents } from '#shared/contract/documents.ts'
import { orders } from '#shared/contract/orders.ts'
import { users } from '#shared/contract/users.ts'
import { vip } from '#shared/contract/vip.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { DownloadCodeKind, OrderType, PaymentMethod, VipCard } from '#shared/enums.ts'
import { administratorsId, type PermissionPath } from '#shared/permissions.ts'
import { addCredit } from '#server/modules/credits/credits.ledger.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'

/**
 * Staff do not gain by their own acts, nor by those of a colleague in a group of staff. Every endpoint that changes
 * something stands here: with an act that would give a member credits, cards or money, or among those that give none.
 */

const money: PermissionPath[] = [
  'OrderAPI/ListOrder',
  'OrderAPI/GetOrder',
  'OrderAPI/UpdateOrder',
  'OrderAPI/RefundOrder',
  'OrderAPI/RechargeOrder',
  'DownloadCodeAPI/ListDownloadCode',
  'DownloadCodeAPI/CreateDownloadCode',
  'VIPAPI/CreateVIP',
  'UserAPI/AdjustUserCredit',
  'DocumentAPI/UpdateDocument',
]

let site: Site
let keys = 0
const newKey = () => `request ${(keys += 1)}`
beforeAll(async () => {
  site = await openSite()
  await site.configure({ 'vip.enable': 'true', 'pay.enable_cash': 'true', 'download.enable_code_download': 'true' })
})
afterAll(() => site.close())

/** `giver` acts so that `gainer` would have more. */
type Act = (giver: Person, gainer: Person) => Promise<unknown>

const acts: Record<string, Act> = {
  'credits.adjust': (giver, { id }) =>
    giver.call(credits.adjust, { user_id: id, amount: 5, reason: '奖励', key: newKey() }),
  'orders.systemTopUp': (giver, { id }) => giver.call(orders.systemTopUp, { user_id: id, amount: 5, remark: '补偿' }),
  'orders.confirm': async (giver, gainer) => {
    const { order_no } = await gainer.call(orders.create, { order_type: OrderType.TopUp, quantity: 10 + (keys += 1) })
    return giver.call(orders.confirm, { id: await idOf(order_no), payment_type: PaymentMethod.Cash })
  },
  'orders.refund': async (giver, gainer) => {
    const { id } = await storeDocument(site, { owner: await site.member(), price: 4 })
    const order_no = await buyWithCredits(gainer, id)
    const input = { id: await idOf(order_no), amount: 4, reason: '不要了', key: newKey() }
    return giver.call(orders.refund, input)
  },
  // The owner of a document is paid for it from now on.
  'documents.setOwner': async (giver, gainer) => {
    const { id } = await storeDocument(site, { owner: await site.member(), price: 4 })
    await giver.call(documents.setOwner, { document_id: [id], user_id: gainer.id })
    await buyWithCredits(await site.member(), id)
  },
  'vip.grant': (giver, { id }) => giver.call(vip.grant, { user_id: id, type: VipCard.Month, reason: '奖励' }),
  // The holder of a code takes what it brings.
  'codes.create': async (giver, gainer) => gainer.call(codes.redeem, { code: await newCode(giver) }),
  'codes.redeem': async (giver, gainer) => gainer.call(codes.redeem, { code: await newCode(giver) }),
  'orders.pay': async (giver, gainer) => {
    const downcode = await newCode(giver, DownloadCodeKind.AnyDocument)
    const { id } = await storeDocument(site, { owner: await site.member(), price: 4 })
    const { order_no } = await gainer.call(orders.create, { order_type: OrderType.Document, product_id: id })
    return gainer.call(orders.pay, { order_no, payment_type: PaymentMethod.DownloadCode, downcode })
  },
}

/** Members earn by the site's own rules, within its limits: nothing that anybody decides about. */
const earned = ['credits.checkIn', 'orders.watched', 'documents.create', 'comments.create', 'favorites.create']

/** These endpoints change no credits, no card and no money. */
const harmless = `
  settings: update; mails: retry delete; mailTests: send; sms: send delete; smsTests: send; visits: record
  machine: checkRelease setReleaseSource ignoreRelease sqlMode; checklist: settle dismiss; sitemaps: check
  groups: create copy addReadyMade update patch delete setPermissions; permissions: update
  punishments: create update cancel
  users: logout register login create set trust delete handOver profile password emailCode requestPasswordReset resetPassword
  codeSignIn: registerByMobile loginByMobile loginByEmail resetByMobile resetByEmail; ownMobile: sendCode bind unbind
  sessions: endOthers end; oauth: authorize login bind unbind miniProgramLogin miniProgramPhone beginScan pollScan
  secondFactor: begin confirm remove setPasskey renewRecoveryCodes setMails; proofs: give passkeyOptions; invitations: create look accept withdraw
  factorLogins: complete passkeyOptions; passkeys: loginOptions login createOptions create rename delete
  savedViews: save delete; attachments: update patch delete; uploads: challenge claim
  navigations: create update patch delete sort; friendlinks: create update patch delete sort
  banners: create update patch delete sort; advertisements: create update patch delete
  announcements: create update patch delete; topics: create update patch delete sort
  categories: create update patch delete sort; languages: create update setStatus delete
  searches: reindex shown; searchRecords: delete; backups: create delete link
  documents: createFor update setVisibility delete review recommend reconvert setCategory setLanguage setVip setPrice rate
  documentRecycle: restore delete empty; documentShares: create end open; replacements: create withdraw approve reject
  outlays: decide carryOut; vip: end; codes: void delete
  orders: create check claim close delete remark refuse closeByStaff handleDifference reconcile testProvider withdrawTrial
  articles: create update delete setCategory recommend review; articleRecycle: restore delete empty
  articleDrafts: save delete; articleVersions: restore; articleLikes: create delete
  spiderSources: create update delete start pause stop try; spiderUrls: create retry delete
  spiderDocuments: update setCategory setPrice download publish retry delete
  comments: update delete review; favorites: delete; reading: save finish delete clear setRecording
  bookmarks: create update delete; annotations: create update delete
  collections: create update delete addItems updateItem removeItems reorderItems review; follows: create delete
  reports: create handle reopen update delete; notifications: answer read delete choose subscription unsubscribe
  privacy: requestExport requestDeletion cancelDeletion`

test('every endpoint that changes something is placed: it gives nothing, or nobody gains by it', () => {
  const exceptions = harmless
    .split(/[;\n]/)
    .map((line) => line.trim().split(/: | /))
    .flatMap(([area, ...names]) => names.map((name) => `${area}.${name}`))
  const changing = Object.entries(contract).flatMap(([area, endpoints]) =>
    Object.entries<Endpoint>(endpoints)
      .filter(([, { method }]) => method !== 'GET')
      .map(([name]) => `${area}.${name}`),
  )
  expect([...Object.keys(acts), ...earned, ...exceptions].toSorted()).toEqual(changing.toSorted())
})

describe.each(Object.entries(acts))('by %s', (_name, act) => {
  test('somebody else gains', async () => {
    const [giver, other] = [await site.staff(...money), await site.member()]
    const before = await wealth(other)
    await act(giver, other)
    expect(await wealth(other)).not.toEqual(before)
  })

  test('staff gain nothing for themselves', async () => {
    const giver = await site.staff(...money)
    await refuses(() => act(giver, giver), giver)
  })

  test('staff gain nothing by a colleague', async () => {
    const giver = await site.staff(...money)
    const { group_id } = await site.root.call(users.get, { id: giver.id })
    const colleague = await site.member()
    await site.root.call(users.set, { id: colleague.id, group_id })
    await refuses(() => act(giver, colleague), colleague)
  })

  test('administrators gain nothing by themselves or each other, only by the owner', async () => {
    const [one, other] = [await newAdministrator(), await newAdministrator()]
    await refuses(() => act(one, one), one)
    await refuses(() => act(one, other), other)
    const before = await wealth(other)
    await act(site.root, other)
    expect(await wealth(other)).not.toEqual(before)
  })
})

test('members of the default group are nobody’s colleagues', async () => {
  const giver = await site.staff(...money)
  const { group } = await site.root.call(contract.groups.list)
  const standard = group.find(({ is_default }) => is_default)?.id ?? 0
  const { group_id } = await site.root.call(users.get, { id: giver.id })
  await site.root.call(users.set, { id: giver.id, group_id: [...group_id, standard] })
  const member = await site.member()
  await acts['codes.redeem']?.(giver, member)
  expect(await balance(member)).toBe(3)
})

test('authors gain nothing by codes and confirmed payments for their documents, of their own or of a colleague', async () => {
  const [author, buyer] = [await site.staff(...money), await site.member()]
  const { id } = await storeDocument(site, { owner: author, price: 4 })
  const { order_no } = await buyer.call(orders.create, { order_type: OrderType.Document, product_id: id })
  const downcode = await newCode(author, DownloadCodeKind.AnyDocument)
  const pay = (code: string) =>
    buyer.call(orders.pay, { order_no, payment_type: PaymentMethod.DownloadCode, downcode: code })
  expect(await refusal(pay(downcode))).toMatchObject({ reason: 'codes.ownDocument' })
  const confirm = author.call(orders.confirm, { id: await idOf(order_no), payment_type: PaymentMethod.Cash })
  expect(await refusal(confirm)).toMatchObject({ reason: 'access.ownGain' })
  const { group_id } = await site.root.call(users.get, { id: author.id })
  const colleague = await site.member()
  await site.root.call(users.set, { id: colleague.id, group_id })
  const itsCode = await newCode(colleague, DownloadCodeKind.AnyDocument)
  expect(await refusal(pay(itsCode))).toMatchObject({ reason: 'codes.ownDocument' })
  const cash = colleague.call(orders.confirm, { id: await idOf(order_no), payment_type: PaymentMethod.Cash })
  expect(await refusal(cash)).toMatchObject({ reason: 'access.ownGain' })
  expect(await balance(author)).toBe(0)
  await pay(await newCode(await site.staff(...money), DownloadCodeKind.AnyDocument))
  expect(await balance(author)).toBe(4)
})

async function refuses(act: () => Promise<unknown>, gainer: Person): Promise<void> {
  const { reason } = await refusal(act())
  expect(reason).toMatch(/^(access\.ownGain|codes\.ownKept)$/)
  expect([await balance(gainer), await cards(gainer), await refunds(gainer)]).toEqual([0, 0, 0])
}

/** The things a member has that staff can give. */
async function wealth(person: Person): Promise<number[]> {
  return [await balance(person), await cards(person), await refunds(person), await grants(person)]
}

async function buyWithCredits(buyer: Person, product_id: number): Promise<string> {
  await addCredit(await site.app.context(), { userId: buyer.id, amount: 4, reason: 'sign' })
  const { order_no } = await buyer.call(orders.create, { order_type: OrderType.Document, product_id })
  await buyer.call(orders.pay, { order_no, payment_type: PaymentMethod.Credits })
  return order_no
}

async function newCode(maker: Person, kind: DownloadCodeKind = DownloadCodeKind.Credits): Promise<string> {
  const { code } = await maker.call(codes.create, { kind, count: 1, credits: 3 })
  return code[0] ?? ''
}

async function newAdministrator(): Promise<Person> {
  const person = await site.member()
  await site.root.call(users.set, { id: person.id, group_id: [administratorsId] })
  return person
}

async function balance({ id }: Person): Promise<number> {
  return (await site.root.call(users.get, { id })).credit_count
}

async function cards({ id }: Person): Promise<number> {
  return (await site.db.selectFrom('user_vip').select('id').where('user_id', '=', id).execute()).length
}

async function refunds({ id }: Person): Promise<number> {
  const rows = site.db.selectFrom('refund').innerJoin('order', 'order.id', 'refund.order_id').select('refund.id')
  return (await rows.where('order.user_id', '=', id).execute()).length
}

async function grants({ id }: Person): Promise<number> {
  return (await site.db.selectFrom('document_grant').select('id').where('user_id', '=', id).execute()).length
}

async function idOf(order_no: string): Promise<number> {
  return (await site.root.call(orders.list, { wd: order_no })).order[0]?.id ?? 0
}
