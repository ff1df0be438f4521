export interface BillOfMaterials {
  bomFormat: string;
  specVersion: string;
  serialNumber: string;
  metadata: { component: { name: string; version: string } };
  components: {
    name: string;
    group?: string;
    version: string;
    scope: 'required' | 'excluded';
    purl: string;
    hashes?: { alg: string; content: string }[];
    licenses?: object[];
  }[];
}
export function billOfMaterials(lock: object, bundled: ReadonlySet<string>): BillOfMaterials;
export function bundledPackages(licenceFiles: readonly string[]): Set<string>;
export function writeBillOfMaterials(file: string, ...builds: string[]): void;
