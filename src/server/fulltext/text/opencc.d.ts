/** `traditional simplified|…`; of several simplified forms the usual one comes first. */
declare module 'opencc-js/dict/TSCharacters' {
  const table: string
  export default table
}
