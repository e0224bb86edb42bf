/** `traditional simplified|…`; where several simplified ones are possible, the usual one comes first. */
declare module 'opencc-js/dict/TSCharacters' {
  const table: string
  export default table
}
