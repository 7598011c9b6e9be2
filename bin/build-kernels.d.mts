export declare const kernelsModule: () => Promise<string>
export declare const workerModule: () => Promise<string>
