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

/** Opening or closing the form for a new row does not reload the list. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const isSameList = currentUrl.href !== nextUrl.href && toListUrl(currentUrl) === toListUrl(nextUrl)
  return !isSameList && defaultShouldRevalidate
}

export default function AdminResource() {
  const { pathname } = useLocation()
  return <Screen key={pathname} path={pathname} listing={useLoaderData<typeof clientLoader>()} />
}

function toListUrl(url: URL): string {
  const query = new URLSearchParams(url.search)
  query.delete('new')
  return url.pathname + query.toString()
}
