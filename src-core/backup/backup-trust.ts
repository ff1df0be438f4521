/** The keys of a run that makes or reads signed backups. Where they come from is the caller's affair. */

/** The secret key of a run that makes or removes backups. */
export interface BackupSigner {
  /** `SHA256:` and the hash of the public key in base64, as people compare it. */
  readonly fingerprint: string;
  sign: (bytes: Uint8Array) => Uint8Array;
}

/** A public key. */
export interface BackupVerifier {
  readonly fingerprint: string;
  verify: (bytes: Uint8Array, signature: Uint8Array) => boolean;
}

/** What a target's reader and writer know of keys. */
export interface BackupTrust {
  /** New backups are signed with it. */
  signer?: BackupSigner | undefined;
  /** Given public keys, and that of the signer. */
  verifiers: readonly BackupVerifier[];
  /** A public key was given: what none of them proves is refused. Else signatures are not compared. */
  isRequired: boolean;
}
