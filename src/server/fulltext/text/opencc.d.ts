/** `traditional simplified|…`; of several simplified forms the usual one comes first. */
declare module 'opencc-js/dict/TSCharacters' {
  const table: string
  export default table
}

/** `word of Taiwan word of the mainland|…`, both in traditional characters. */
declare module 'opencc-js/dict/TWPhrasesRev' {
  const table: string
  export default table
}
