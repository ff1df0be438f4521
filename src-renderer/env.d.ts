/// <reference types="svelte" />
/// <reference types="vite/client" />
import '../src-main/ipc/contract.ts';
