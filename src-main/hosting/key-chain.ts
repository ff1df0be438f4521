/**
 * The key chain of the system through Electron: what it encrypts only this user's session can decrypt. Where there is
 * none (Linux without a secret service: the key would lie in the program) there is no cipher, and passwords lie in files
 * only their owner can read.
 */
import type { SafeStorage } from 'electron';
import type { PasswordCipher } from '../cluster/cluster-credentials.ts';

type KeyChain = Pick<
  SafeStorage,
  'isEncryptionAvailable' | 'encryptString' | 'decryptString' | 'getSelectedStorageBackend'
>;

/** Asked once the application is ready. */
export function keyChainCipher(safeStorage: KeyChain, platform: NodeJS.Platform): PasswordCipher | undefined {
  if (!safeStorage.isEncryptionAvailable()) return undefined;
  const isPlain = platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text';
  if (isPlain) return undefined;
  return {
    encrypt: (text) => safeStorage.encryptString(text),
    decrypt: (bytes) => safeStorage.decryptString(bytes)
  };
}
