import { type ClientLoaderFunctionArgs, useLoaderData, useParams } from 'react-router'
import { ConfigPage, loadConfig } from '#web/admin/settings/config-page.client.tsx'

export function clientLoader({ params }: ClientLoaderFunctionArgs) {
  return loadConfig(params['group'] ?? '')
}

export default function AdminConfig() {
  const { group = '' } = useParams()
  return <ConfigPage group={group} result={useLoaderData<typeof clientLoader>()} />
}
