// The icons of lucide-react as the pages have them: lines that the build draws itself (.config/icon-loader.cjs). The package's
// own types take more than is left of it, such as a size.
declare module "lucide-react" {
  type Package = typeof import("lucide-react/icons");
  type Drawn = import("lucide-react/icons").LucideIcon;
  const icons: {
    readonly [Name in keyof Package as Package[Name] extends Drawn ? Name : never]: import("@/components/ui/icon").Icon;
  };
  export = icons;
}
