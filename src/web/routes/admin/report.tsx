import { type ClientLoaderFunctionArgs, useLoaderData } from 'react-router'
import { loadInbox, ReportInbox } from '#web/admin/reports/report-inbox.client.tsx'

export function clientLoader({ url }: ClientLoaderFunctionArgs) {
  return loadInbox(url)
}

export default function AdminReport() {
  return <ReportInbox {...useLoaderData<typeof clientLoader>()} />
}
