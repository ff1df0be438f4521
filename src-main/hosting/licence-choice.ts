/**
 * The licence that a person chose in the window, kept in WINNOW_HOME: the evaluation licence, or their own file.
 * Settings in the environment take precedence, as for the node service.
 */
import type { LicenceState } from '../contract/verbs/cluster-contract.ts';
import { chosenLicenceFile, keepChosenLicence } from '../access/chosen-licence.ts';
import { EVALUATION, readLicence, type Licence } from '../access/licence.ts';
import { loadSettings, type Settings } from '../settings/settings.ts';

export interface LicenceChoiceParts {
  home: string;
  clock: () => number;
  environment: Readonly<Record<string, string | undefined>>;
  /** A file with one more public key (JWK): for tests. */
  trustedKeyFile?: string | undefined;
  /** Of a service; not given: those of the environment. */
  settings?: Settings | undefined;
}

export class LicenceChoice {
  readonly #parts: LicenceChoiceParts;

  constructor(parts: LicenceChoiceParts) {
    this.#parts = parts;
  }

  async read(): Promise<Licence> {
    const { clock, trustedKeyFile } = this.#parts;
    return readLicence({ ...this.#settings(), trustedKeyFile }, new Date(clock()));
  }

  async state(): Promise<LicenceState> {
    const { key, file } = this.#settings();
    const licence = await this.read();
    const choice =
      key !== undefined ? 'key' : file === EVALUATION ? 'evaluation' : file === undefined ? null : 'file';
    if (!licence.isValid) {
      const words = choice === null ? 'No licence chosen.' : `It is not valid: ${licence.reason}.`;
      return { choice, isValid: false, holder: null, expiresAtMs: null, isEvaluation: false, words };
    }
    const { holder, expiresAt, isEvaluation } = licence;
    const words = `Licensed to ${holder} until ${expiresAt.toISOString().slice(0, 10)}.`;
    return { choice, isValid: true, holder, expiresAtMs: expiresAt.getTime(), isEvaluation, words };
  }

  /** `file`: its path; null: none. A file that is not a licence can be chosen too; the state says so. */
  choose(choice: 'evaluation' | { file: string } | null): void {
    const licenseFile = choice === null ? null : choice === 'evaluation' ? EVALUATION : choice.file;
    keepChosenLicence(this.#parts.home, licenseFile);
  }

  #settings(): { key: string | undefined; file: string | undefined } {
    const { environment, home } = this.#parts;
    const settings = this.#parts.settings ?? loadSettings({ environment, unknownNames: 'ignore' });
    return {
      key: settings.text('Licensing:LicenseKey'),
      file: settings.text('Licensing:LicenseFile') ?? chosenLicenceFile(home)
    };
  }
}
