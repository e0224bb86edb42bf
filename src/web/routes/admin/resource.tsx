import {
  type ClientLoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
} from 'react-router'
import { loadScreen, Screen } from '#web/admin/screen.client.tsx'

export function clientLoader({ url }: ClientLoaderFunctionArgs) {
  return loadScreen(url)
}

/** Opening and closing the form for a new row says nothing about the list. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const same = currentUrl.href !== nextUrl.href && listOf(currentUrl) === listOf(nextUrl)
  return !same && defaultShouldRevalidate
}

export default function AdminResource() {
  const { pathname } = useLocation()
  return <Screen key={pathname} path={pathname} listing={useLoaderData<typeof clientLoader>()} />
}

function listOf(url: URL): string {
  const query = new URLSearchParams(url.search)
  query.delete('new')
  return url.pathname + query.toString()
}
