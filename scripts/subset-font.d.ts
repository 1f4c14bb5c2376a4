/** What `subset-fonts.ts` uses of the package; @types/subset-font lacks two of these options. */
declare module 'subset-font' {
  export interface SubsetOptions {
    readonly targetFormat: 'woff2'
    readonly variationAxes: Readonly<Record<string, { readonly min: number; readonly max: number }>>
    readonly keepFeatures: readonly string[]
    readonly noHinting: boolean
  }

  export default function subsetFont(
    font: Buffer,
    text: string,
    options: SubsetOptions,
  ): Promise<Buffer>
}
