/** Where the documents of a category are listed; of all of them, if none is named. */
export function categoryAddress(category: { id: number } | undefined): string {
  return category ? `/category/${category.id}` : '/category'
}
