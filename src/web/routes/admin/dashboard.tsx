import { useLoaderData } from 'react-router'
import { Dashboard, loadDashboard } from '#web/admin/dashboard/dashboard.client.tsx'

export function clientLoader() {
  return loadDashboard()
}

export default function AdminDashboard() {
  return <Dashboard {...useLoaderData<typeof clientLoader>()} />
}
