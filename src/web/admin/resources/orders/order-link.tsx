import { Link } from 'react-router'
import { dash } from '#web/admin/cells.tsx'

/** Leads to the order in the list. */
export function OrderLink({ orderNo }: { orderNo: string }) {
  return orderNo ? <Link to={`/admin/order?${new URLSearchParams({ wd: orderNo })}`}>{orderNo}</Link> : dash
}
