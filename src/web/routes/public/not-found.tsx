import { load, notFound } from '#web/lib/load.ts'

const page = load(async (): Promise<null> => {
  throw notFound()
})
export const loader = page.server
export const clientLoader = page.client

/** Never rendered: the layout shows its error page. */
export default function NotFound() {
  return null
}
