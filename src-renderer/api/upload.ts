/** A small text file of the machine that the browser runs on, chosen by a person. */
export interface UploadedFile {
  name: string;
  text: string;
}

/** As the service takes it. */
const MOST_BYTES = 64 * 1024;

/** null: nothing was chosen; `tooLong`: no file of this kind is that long. Has to follow a click. */
export function pickTextFile(): Promise<UploadedFile | 'tooLong' | null> {
  const input = document.createElement('input');
  input.type = 'file';
  return new Promise((resolve, reject) => {
    input.addEventListener('cancel', () => resolve(null), { once: true });
    input.addEventListener(
      'change',
      () => {
        const [file] = input.files ?? [];
        if (!file) resolve(null);
        else if (file.size > MOST_BYTES) resolve('tooLong');
        else file.text().then((text) => resolve({ name: file.name, text }), reject);
      },
      { once: true }
    );
    input.click();
  });
}
