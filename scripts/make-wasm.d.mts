export function md5LanesCode(): Promise<string>;
