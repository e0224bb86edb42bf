/** The field of the profile form that each reason of a server error belongs to. */
export const profileErrorFields = {
  'users.nameNeeded': 'username',
  'users.nameTaken': 'username',
  'users.nameReserved': 'username',
  'users.nameLength': 'username',
  'users.nameLooksLikeAddress': 'username',
  'users.nameHasOddCharacters': 'username',
  'users.renamedLately': 'username',
  'users.renamedTooOften': 'username',
  'users.realnameWrong': 'realname',
  'users.identityWrong': 'identity',
} as const
