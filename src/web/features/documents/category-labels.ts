/** The texts of the category select. */
export const categoryLabels = { none: '请选择分类', noFurther: '不再细分', below: '下级分类' }
