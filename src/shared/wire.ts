import type * as z from 'zod/mini'
import { isTime } from './fields.ts'

/**
 * The only place that knows how the wire differs from the code: queries repeat keys and write booleans as 1/0; replies
 * leave out zero values; times are RFC 3339 there and milliseconds here; null means "not given".
 */

type Schema = z.core.$ZodType
type Json = unknown

/** Decodes a request for validation by its schema. What cannot be decoded stays as it is, so that validation names it. */
export function decode(schema: Schema, raw: Json): Json {
  const type = unwrap(schema)
  if (raw === null || raw === undefined) return undefined
  const rule = decoders[type._zod.def.type]
  return rule ? rule(type, raw) : raw
}

/** A key without a value is not given. Beside others an empty value stays: of a range it is the open end. */
export function queryToObject(query: URLSearchParams): Record<string, string[]> {
  const object: Record<string, string[]> = Object.create(null)
  for (const key of new Set(query.keys())) {
    const values = query.getAll(key)
    if (values.some((value) => value !== '')) object[key] = values
  }
  return object
}

/** Encodes a request: times become text, undefined keys are left out. */
export function encode(schema: Schema, value: unknown): Json {
  return walk(schema, value, false)
}

/** Encodes a reply: as `encode`, and zero values are left out. */
export function strip(schema: Schema, value: unknown): Json {
  return walk(schema, value, true)
}

/** Decodes a reply: keys that were left out get their zero value. */
export function fill(schema: Schema, json: Json): unknown {
  const def = schema._zod.def as Def
  if (def.type === 'optional') return json === undefined ? undefined : fill(inner(def), json)
  if (def.type === 'nullable') return json === undefined || json === null ? null : fill(inner(def), json)
  if (def.type === 'default' || def.type === 'prefault') return fill(inner(def), json)
  if (def.type === 'number' && isTime(schema)) return typeof json === 'string' ? Date.parse(json) : 0
  if (def.type === 'array') return asArray(json).map((item) => fill(element(def), item))
  if (def.type === 'object') {
    const record = asRecord(json)
    return mapEntries(def.shape ?? {}, (key, field) => fill(field, record[key]))
  }
  if (def.type === 'union') return json ?? fill(option(def), json)
  return json ?? zeros[def.values ? typeof def.values[0] : def.type]
}

export function toSearchParams(object: Record<string, unknown>): URLSearchParams {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(object)) {
    for (const item of Array.isArray(value) ? value : [value]) query.append(key, String(item))
  }
  return query
}

interface Def {
  type: string
  options?: Schema[]
  innerType?: Schema
  element?: Schema
  shape?: Record<string, Schema>
  values?: unknown[]
}

const zeros: Record<string, unknown> = { string: '', number: 0, boolean: false, record: {} }

const decoders: Record<string, (type: Schema, raw: Json) => Json> = {
  object: (type, raw) => {
    const record = asRecord(raw)
    const shape = (type._zod.def as Def).shape ?? {}
    return mapEntries(shape, (key, field) => (Object.hasOwn(record, key) ? decode(field, record[key]) : undefined))
  },
  array: (type, raw) => {
    const items = Array.isArray(raw) ? raw : [raw]
    return items.map((item) => decode(element(type._zod.def as Def), item)).filter((item) => item !== undefined)
  },
  number: (type, raw) => (isTime(type) ? decodeTime(first(raw)) : decodeNumber(first(raw))),
  literal: (type, raw) => {
    const numeric = typeof (type._zod.def as Def).values?.[0] === 'number'
    return numeric ? decodeNumber(first(raw)) : first(raw)
  },
  enum: (_type, raw) => decodeText(first(raw)),
  // Ours are "this, or empty": the first option says how to decode it.
  union: (type, raw) => decode(option(type._zod.def), raw),
  boolean: (_type, raw) => decodeFlag(first(raw)),
  string: (_type, raw) => decodeText(first(raw)),
}

function first(raw: Json): Json {
  return Array.isArray(raw) ? raw[0] : raw
}

function decodeNumber(raw: Json): Json {
  if (raw === '') return undefined
  return typeof raw === 'string' && /^-?\d{1,20}(\.\d{1,20})?$/.test(raw.trim()) ? Number(raw) : raw
}

function decodeFlag(raw: Json): Json {
  if (raw === '') return undefined
  if (raw === 1 || raw === '1' || raw === 'true') return true
  if (raw === 0 || raw === '0' || raw === 'false') return false
  return raw
}

/** Databases refuse NUL and lone surrogates. */
function decodeText(raw: Json): Json {
  if (typeof raw === 'number') return String(raw)
  return typeof raw === 'string' ? raw.replaceAll('\0', '').toWellFormed() : raw
}

/** RFC 3339, or the local `yyyy-MM-dd HH:mm:ss` that date-range filters send. */
function decodeTime(raw: Json): Json {
  if (typeof raw !== 'string') return raw
  if (raw === '') return undefined
  const ms = Date.parse(raw)
  return Number.isNaN(ms) ? raw : ms
}

function walk(schema: Schema, value: unknown, dropZeros: boolean): Json {
  if (value === null || value === undefined) return undefined
  const type = unwrap(schema)
  const def = type._zod.def as Def
  if (def.type === 'number' && isTime(type)) return typeof value === 'number' ? new Date(value).toISOString() : value
  if (def.type === 'array' && Array.isArray(value)) return value.map((item) => walk(element(def), item, dropZeros))
  if (def.type === 'boolean') return Boolean(value)
  if (def.type !== 'object') return value
  const record = asRecord(value)
  const out: Record<string, Json> = {}
  for (const [key, field] of getEntries(def.shape ?? {})) {
    const json = walk(field, record[key], dropZeros)
    if (json === undefined || (dropZeros && isZero(json))) continue
    out[key] = json
  }
  return out
}

function isZero(json: Json): boolean {
  return json === 0 || json === false || json === '' || (Array.isArray(json) && json.length === 0)
}

function unwrap(schema: Schema): Schema {
  const def = schema._zod.def as Def
  return def.innerType ? unwrap(def.innerType) : schema
}

function inner(def: Def): Schema {
  if (!def.innerType) throw new Error(`schema ${def.type} wraps nothing`)
  return def.innerType
}

function option(def: Def): Schema {
  const [choice] = def.options ?? []
  if (!choice) throw new Error(`schema ${def.type} has no choices`)
  return choice
}

function element(def: Def): Schema {
  if (!def.element) throw new Error(`schema ${def.type} has no elements`)
  return def.element
}

function asRecord(json: unknown): Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : {}
}

function asArray(json: unknown): unknown[] {
  return Array.isArray(json) ? json : []
}

function mapEntries<T>(shape: Record<string, Schema>, make: (key: string, field: Schema) => T): Record<string, T> {
  const out: Record<string, T> = {}
  for (const [key, field] of getEntries(shape)) {
    const value = make(key, field)
    if (value !== undefined) out[key] = value
  }
  return out
}

type Shape = Record<string, Schema>
const entriesByShape = new WeakMap<Shape, [string, Schema][]>()

/** Cached, as a list has many objects of one shape. */
function getEntries(shape: Shape): [string, Schema][] {
  const entries = entriesByShape.get(shape) ?? Object.entries(shape)
  entriesByShape.set(shape, entries)
  return entries
}
