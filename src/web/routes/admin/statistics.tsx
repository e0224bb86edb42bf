import { Statistics } from '#web/admin/statistics/statistics.client.tsx'

/** What it shows is loaded by its sections. */
export function clientLoader() {
  return null
}

export default Statistics
