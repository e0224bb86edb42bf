/** What is said where a document's category is chosen. */
export const categoryWords = { none: '请选择分类', noFurther: '不再细分', below: '下级分类' }
