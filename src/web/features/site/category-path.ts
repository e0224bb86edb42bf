export function categoryPath({ id, type }: { id: number; type: number }): string {
  return type === 1 ? `/article?category_id=${id}` : `/category/${id}`
}
