import { redirect } from 'react-router'

/** Documents are listed by category. */
export function loader() {
  throw redirect('/category')
}

export function clientLoader() {
  throw redirect('/category')
}

/** Never rendered: both loaders redirect. */
export default function Documents() {
  return null
}
