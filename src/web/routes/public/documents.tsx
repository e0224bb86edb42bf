import { redirect } from 'react-router'

/** Documents are found by their categories. */
export function loader() {
  throw redirect('/category')
}

export function clientLoader() {
  throw redirect('/category')
}

/** Never shown: both loaders lead away. */
export default function Documents() {
  return null
}
