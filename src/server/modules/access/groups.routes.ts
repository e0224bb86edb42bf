import type { groups } from '#shared/contract/access.ts'
import { errors } from '#shared/errors.ts'
import { listRows } from '#server/db/list.ts'
import { inTransaction, type Viewer } from '#server/context.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { presentGroups } from './groups.present.ts'
import { findGroup, findPermissionIds } from './groups.queries.ts'
import {
  addReadyMadeGroups,
  copyGroup,
  createGroup,
  deleteGroups,
  patchGroup,
  setGroupPermissions,
  updateGroup,
} from './groups.service.ts'

/** Hidden groups are for staff and for their members. */
function canSeeGroup({ isStaff, groups }: Viewer, { id, is_display }: { id: number; is_display: number }): boolean {
  return isStaff || is_display === 1 || groups.some((group) => group.id === id)
}

export const groupRoutes: Handlers<typeof groups> = {
  create: createGroup,
  copy: copyGroup,
  addReadyMade: emptyReply(addReadyMadeGroups),
  async update(ctx, input) {
    await updateGroup(ctx, input)
    return {}
  },
  patch: emptyReply(inTransaction(patchGroup)),
  async delete(ctx, { id }) {
    await deleteGroups(ctx, id)
    return {}
  },
  async get(ctx, { id }) {
    const group = await findGroup(ctx.db, id)
    if (!group || !canSeeGroup(ctx.viewer, group)) throw errors.groups.notFound()
    const [presented] = await presentGroups(ctx, [group])
    if (!presented) throw errors.groups.notFound()
    return presented
  },
  async list(ctx, input) {
    const staff = ctx.viewer.can('GroupAPI/ListGroup')
    const all = ctx.db.selectFrom('group').selectAll()
    const ownIds = ctx.viewer.groups.map(({ id }) => id)
    const visible = ctx.viewer.isStaff
      ? all
      : all.where((eb) => eb.or([eb('is_display', '=', 1), eb('id', 'in', [0, ...ownIds])]))
    const { total, rows } = await listRows(visible, input, {
      search: staff ? ['title', 'description'] : undefined,
      order: [
        ['sort', 'desc'],
        ['id', 'asc'],
      ],
      sortable: ['title', 'created_at', 'updated_at'],
    })
    return { total, group: await presentGroups(ctx, rows) }
  },
  async permissions(ctx, { id }) {
    return { permission_id: await findPermissionIds(ctx.db, id) }
  },
  async setPermissions(ctx, { group_id, permission_id }) {
    await setGroupPermissions(ctx, group_id, permission_id)
    return {}
  },
}
