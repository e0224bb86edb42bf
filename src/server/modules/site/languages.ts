/** Language codes, most used first. */
export const languages = [
  'zh-CN', 'zh-TW', 'en', 'fr', 'ko', 'de', 'ja', 'ru', 'sq', 'af', 'am', 'ar', 'hy', 'as', 'ay', 'az', 'bm',
  'eu', 'be', 'bn', 'bho', 'bs', 'bg', 'ca', 'ceb', 'co', 'hr', 'cs', 'da', 'dv', 'doi', 'nl', 'eo', 'et',
  'ee', 'fil', 'fi', 'fy', 'gl', 'ka', 'el', 'gn', 'gu', 'ht', 'ha', 'haw', 'he', 'hi', 'hmn', 'hu', 'is',
  'ig', 'ilo', 'id', 'ga', 'it', 'jv', 'kn', 'kk', 'km', 'rw', 'gom', 'kri', 'ku', 'ckb', 'ky', 'lo', 'la',
  'lv', 'ln', 'lt', 'lg', 'lb', 'mk', 'mai', 'mg', 'ms', 'ml', 'mt', 'mi', 'mr', 'mni-Mtei', 'lus', 'mn',
  'my', 'ne', 'no', 'ny', 'or', 'om', 'ps', 'fa', 'pl', 'pt', 'pa', 'qu', 'ro', 'sm', 'sa', 'gd', 'nso',
  'sr', 'st', 'sn', 'sd', 'si', 'sk', 'sl', 'so', 'es', 'su', 'sw', 'sv', 'tl', 'tg', 'ta', 'tt', 'te', 'th',
  'ti', 'ts', 'tr', 'tk', 'ak', 'uk', 'ur', 'ug', 'uz', 'vi', 'cy', 'xh', 'yi', 'yo', 'zu',
]
