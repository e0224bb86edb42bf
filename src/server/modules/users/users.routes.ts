import type { ExpressionBuilder } from 'kysely'
import { Punishment, RecordStatus } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { users } from '#shared/contract/users.ts'
import type { Ctx } from '#server/context.ts'
import { listRows, matches, within } from '#server/db/list.ts'
import type { Tables } from '#server/db/tables.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { owesPassword, owesSecondFactor } from '#server/proof.ts'
import { issueCaptcha } from '#server/modules/auth/captcha.ts'
import { endSession } from '#server/modules/auth/sessions.ts'
import { presentGroups } from '../access/groups.present.ts'
import { createUser, deleteUsers, setUser, trustUser } from './users.admin.ts'
import { sendEmailCode } from './sign-in/email-codes.ts'
import { login } from './sign-in/login.ts'
import { realnameKey } from './identity/identity-columns.ts'
import { fullUsers, listedUser, publicUser } from './users.present.ts'
import { changePassword, updateProfile } from './users.profile.ts'
import { handOver } from './users.ownership.ts'
import { findUser, selectDisabledIds } from './users.queries.ts'
import { mailResetLink, resetPassword } from './sign-in/password-reset.ts'
import { type OnRegistered, register } from './sign-in/register.ts'
import { assertNotPunished, mayTryPaying } from '../access/access.policy.ts'
import { assertCanWrite } from './users.writing.ts'

interface Deps {
  onRegistered: OnRegistered
}

export const userRoutes = ({ onRegistered }: Deps): Handlers<typeof users> => ({
  register: (ctx, input) => register(ctx, input, onRegistered),
  login,
  create: emptyReply(createUser),
  set: emptyReply(setUser),
  trust: emptyReply(trustUser),
  delete: emptyReply(deleteUsers),
  handOver: emptyReply(handOver),
  profile: emptyReply(updateProfile),
  password: emptyReply(changePassword),
  emailCode: emptyReply(sendEmailCode),
  requestPasswordReset: emptyReply(mailResetLink),
  resetPassword: emptyReply(resetPassword),
  captcha: (ctx, { type }) => issueCaptcha(ctx, type),

  async logout(ctx) {
    if (ctx.viewer.sessionId) await endSession(ctx.db, ctx.viewer.sessionId)
    return {}
  },

  async get(ctx, input) {
    const id = input.id || ctx.viewer.id
    if (id === 0) throw errors.access.loginNeeded()
    const user = await findUser(ctx.db, id)
    if (!user) throw errors.users.notFound()
    const manages = ctx.viewer.can('UserAPI/GetUser')
    if (id !== ctx.viewer.id && !manages) return publicUser(ctx, user)
    const [full] = await fullUsers(ctx, [user], { remark: manages })
    return full ?? publicUser(ctx, user)
  },

  async list(ctx, { id, group_id, status, limit, sort, created_at, ...input }) {
    const manages = ctx.viewer.can('UserAPI/ListUser')
    let query = ctx.db.selectFrom('user').selectAll()
    if (id.length > 0) query = query.where('id', 'in', id)
    query = manages ? query.where(within('created_at', created_at)) : query.where('deleted_at', 'is', null)
    if (group_id.length > 0 && manages) {
      query = query.where('id', 'in', (eb) =>
        eb.selectFrom('user_group').select('user_id').where('group_id', 'in', group_id),
      )
    }
    if (status.length > 0 && manages) {
      const disabled = selectDisabledIds(ctx.db, ctx.now())
      const [isNormal, isDisabled] = [status.includes(RecordStatus.Normal), status.includes(RecordStatus.Disabled)]
      query = query.where((eb) =>
        eb.or([
          eb.and([eb.lit(isNormal), eb('id', 'not in', disabled)]),
          eb.and([eb.lit(isDisabled), eb('id', 'in', disabled)]),
        ]),
      )
    }
    const request = { ...input, order: input.order || sort, ...(limit > 0 && { page: 1, size: limit }) }
    if (manages && input.wd) query = query.where(matchesUser(ctx, input.wd))
    const { total, rows } = await listRows(query, request, {
      // Other staff find a member by name: lists are filtered by members.
      search: !manages && ctx.viewer.isStaff ? ['username'] : undefined,
      order: [['id', 'desc']],
      sortable: manages
        ? ['created_at', 'login_at', 'credit_count', 'doc_count', 'article_count', 'username']
        : ['doc_count'],
      sizes: { min: 1, max: manages ? 1000 : 100, default: 10 },
      maxOffset: manages ? undefined : 1000,
    })
    if (manages) return { total, user: await fullUsers(ctx, rows, { remark: true }) }
    const present = ctx.viewer.isStaff ? publicUser : listedUser
    return { total, user: rows.map((row) => present(ctx, row)) }
  },

  async permission(ctx) {
    const { id, isAdministrator } = ctx.viewer
    let query = ctx.db.selectFrom('permission').select(['id', 'method', 'path', 'title']).orderBy('id')
    if (!isAdministrator) {
      query = query.where('id', 'in', (eb) =>
        eb
          .selectFrom('group_permission')
          .innerJoin('user_group', 'user_group.group_id', 'group_permission.group_id')
          .select('group_permission.permission_id')
          .where('user_group.user_id', '=', id),
      )
    }
    return {
      permission: await query.execute(),
      second_factor_owed: owesSecondFactor(ctx),
      password_owed: owesPassword(ctx),
      may_try_paying: mayTryPaying(ctx),
    }
  },

  async group(ctx) {
    const ids = ctx.viewer.groups.map(({ id }) => id)
    const rows = await ctx.db
      .selectFrom('group')
      .selectAll()
      .where('id', 'in', [0, ...ids])
      .orderBy('id')
      .execute()
    return { group: await presentGroups(ctx, rows) }
  },

  canUploadDocument(ctx) {
    assertNotPunished(ctx, Punishment.Disabled, Punishment.NoUpload)
    if (!ctx.viewer.groups.some(({ enable_upload }) => enable_upload)) throw errors.users.uploadDenied()
    return {}
  },

  canPublishArticle(ctx) {
    assertCanWrite(ctx)
    return {}
  },
})

/** A real name is stored encrypted: it is found only if it is the whole word, and by staff who may see it. */
function matchesUser({ viewer, cipher }: Ctx, wd: string) {
  const inColumns = matches(['username', 'email', 'mobile'], wd)
  if (!viewer.can('UserAPI/GetUserIdentity')) return inColumns
  return (eb: ExpressionBuilder<Tables, 'user'>) =>
    eb.or([inColumns(eb), eb('realname_key', '=', realnameKey(cipher, wd.trim()))])
}
