import * as z from 'zod/mini'
import { get, permission, put } from '../endpoint.ts'
import { count, flag, id, many, none, text, unsetTime } from '../fields.ts'
import { catalogue } from '../settings.ts'
import { type Field } from '../setting-fields.ts'

const Config = z.object({
  id,
  category: z.string(),
  name: z.string(),
  label: z.string(),
  value: z.string(),
  placeholder: z.string(),
  input_type: z.string(),
  options: z.string(),
  sort: count(),
  col_num: count(),
  created_at: unsetTime,
  updated_at: unsetTime,
})
export type Config = z.output<typeof Config>

const system = publicPart('system')
const security = publicPart('security')

export const PublicSettings = z.object({
  system: z.extend(system, {
    version: z.string(),
    credit_name: z.string(),
    /** The code of the scripts, for clients that run it themselves; our pages contain it. */
    analytics: z.string(),
  }),
  footer: publicPart('footer'),
  security,
  display: publicPart('display'),
  download: publicPart('download'),
  vip: publicPart('vip'),
  search: publicPart('search'),
  miniprogram: publicPart('miniprogram'),
  language: z.array(z.object({ id, language: z.string(), code: z.string() })),
  /** What a new member may do, so that visitors are invited to nothing that they could not do. */
  default_group: z.object({ enable_upload: flag, enable_article: flag }),
})
export type PublicSettings = z.output<typeof PublicSettings>

/** Settings as text; one that is left out stays as it is. */
export const changes = z.array(
  z.object({ category: text(32, 1), name: text(64, 1), value: z._default(z.string(), '') }),
)

export const settings = {
  get: get('/settings', { summary: '公开的网站设置', access: 'open', input: none, reply: PublicSettings }),
  list: get('/config/list', {
    summary: '设置项；密码类的值显示为 ******',
    access: permission('ConfigAPI/ListConfig'),
    input: z.object({ category: many(text(32)) }),
    reply: z.object({ config: z.array(Config) }),
  }),
  update: put('/config', {
    summary: '修改设置；值为 ****** 的密码保持不变',
    access: permission('ConfigAPI/UpdateConfig'),
    input: z.object({ config: changes }),
    reply: none,
  }),
}

type Groups = typeof catalogue
type PublicKeys<F> = { [K in keyof F]: F[K] extends { public: true } ? K : never }[keyof F]
type SchemaOf<V> = V extends boolean
  ? typeof flag
  : V extends number
    ? z.ZodMiniNumber
    : V extends string[]
      ? z.ZodMiniArray<z.ZodMiniString>
      : z.ZodMiniString
type Shape<F extends Record<string, Field>> = { [K in PublicKeys<F>]: SchemaOf<F[K]['default']> }

/** The keys of a group that the catalogue marks as public. */
function publicPart<G extends keyof Groups>(name: G): z.ZodMiniObject<Shape<Groups[G]['fields']>> {
  const fields: Record<string, Field> = catalogue[name].fields
  const shape = Object.entries(fields)
    .filter(([, field]) => field.public)
    .map(([key, field]) => [key, toSchema(field)])
  return z.object(Object.fromEntries(shape)) as z.ZodMiniObject<Shape<Groups[G]['fields']>>
}

function toSchema({ kind }: Field): z.ZodMiniType {
  if (kind === 'switch') return flag
  if (kind === 'number') return z.number()
  return kind === 'select-multi' ? z.array(z.string()) : z.string()
}
