import type { factorLogins, passkeys, proofs, secondFactor } from '#shared/contract/account-security.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { makeSignOptions } from '#server/modules/auth/passkeys/verify-passkey.ts'
import { completeWithFactor, makeSecondStepOptions } from '../sign-in/sign-in.ts'
import {
  beginTotp,
  confirmTotp,
  describeSecurity,
  removeTotp,
  renewRecoveryCodes,
  setNewDeviceMails,
  setPasskeyAsFactor,
} from './enrolment.ts'
import {
  addPasskey,
  deletePasskey,
  listPasskeys,
  loginByPasskey,
  makeCreateOptions,
  renamePasskey,
} from './passkeys.ts'
import { giveProof } from './proof.ts'

export const secondFactorRoutes: Handlers<typeof secondFactor> = {
  get: describeSecurity,
  begin: beginTotp,
  confirm: confirmTotp,
  remove: emptyReply(removeTotp),
  setPasskey: setPasskeyAsFactor,
  renewRecoveryCodes,
  setMails: emptyReply(setNewDeviceMails),
}

export const proofRoutes: Handlers<typeof proofs> = {
  give: emptyReply(giveProof),
  passkeyOptions: async (ctx) => ({
    options: await makeSignOptions(ctx, { purpose: 'proof', userId: ctx.viewer.id }),
  }),
}

export const factorLoginRoutes: Handlers<typeof factorLogins> = {
  complete: completeWithFactor,
  passkeyOptions: makeSecondStepOptions,
}

export const passkeyRoutes: Handlers<typeof passkeys> = {
  loginOptions: async (ctx) => ({ options: await makeSignOptions(ctx, { purpose: 'login', userId: 0 }) }),
  login: loginByPasskey,
  list: listPasskeys,
  createOptions: makeCreateOptions,
  create: emptyReply(addPasskey),
  rename: emptyReply(renamePasskey),
  delete: emptyReply(deletePasskey),
}
