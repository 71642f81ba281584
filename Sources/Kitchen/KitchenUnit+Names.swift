/// The known units, each with the names that people write for it.
extension KitchenUnit {
  /// The units by lower-case name.
  static let names: [String: KitchenUnit] = {
    var names: [String: KitchenUnit] = [:]
    for (unit, aliases) in known {
      names[unit.name.foldedName] = unit
      for alias in aliases.split(separator: ",") { names[String(alias).foldedName] = unit }
    }
    return names
  }()

  /// The names in which letter case distinguishes two units.
  static let exactNames: [String: KitchenUnit] = [
    "T": tablespoon, "t": teaspoon, "Tb": tablespoon, "Tbs": tablespoon,
  ]

  static let gram = KitchenUnit(metric: "g", .mass, 1, 1)
  static let kilogram = KitchenUnit(metric: "kg", .mass, 1_000, 1)
  static let millilitre = KitchenUnit(metric: "ml", .volume, 1, 1)
  static let litre = KitchenUnit(metric: "l", .volume, 1_000, 1)
  static let teaspoonful = KitchenUnit("TL", .volume, 5, 1, .spoons)
  static let tablespoonful = KitchenUnit("EL", .volume, 15, 1, .spoons)
  /// 1/16 of a pound of 453.59237 g.
  static let ounce = KitchenUnit("oz", .mass, 45_359_237, 1_600_000, .unitedStates)
  static let pound = KitchenUnit("lb", .mass, 45_359_237, 100_000, .unitedStates)
  /// 1/768 of a gallon of 3785.411784 ml, and its multiples.
  static let teaspoon = KitchenUnit(gallons: "tsp", 768)
  static let tablespoon = KitchenUnit(gallons: "tbsp", 256)
  static let fluidOunce = KitchenUnit(gallons: "fl oz", 128)
  static let cup = KitchenUnit(gallons: "cup", 16)
  static let pint = KitchenUnit(gallons: "pint", 8)
  static let quart = KitchenUnit(gallons: "quart", 4)
  static let gallon = KitchenUnit(gallons: "gallon", 1)
  /// 1/160 of a gallon of 4546.09 ml, and its multiples.
  static let imperialFluidOunce = KitchenUnit(imperialGallons: "imperial fl oz", 160)
  static let imperialPint = KitchenUnit(imperialGallons: "imperial pint", 8)
  static let imperialQuart = KitchenUnit(imperialGallons: "imperial quart", 4)
  static let imperialGallon = KitchenUnit(imperialGallons: "imperial gallon", 1)

  private static let known: [(KitchenUnit, String)] =
    [
      (KitchenUnit(metric: "mg", .mass, 1, 1_000), "milligram,milligrams,milligramm"),
      (
        gram,
        "gr,gm,gms,gram,grams,gramme,grammes,gramm,grammi,grammo,gramo,gramos,grama,gramas,グラム"
      ),
      (kilogram, "kilo,kilos,kgs,kilogram,kilograms,kilogramm,chilo,chili,quilo,quilos,キロ"),
      // Used in Austria and Italy.
      (KitchenUnit(metric: "dag", .mass, 10, 1), "dkg,deka"),
      (KitchenUnit(metric: "hg", .mass, 100, 1), "etto,etti,hekto"),
      // The German kitchen's pound and hundredweight.
      (KitchenUnit(metric: "Pfund", .mass, 500, 1), "pfd"),
      (ounce, "ounce,ounces,ozs,unze,unzen"),
      (pound, "lbs,pound,pounds"),
      (
        millilitre,
        "milliliter,milliliters,millilitre,millilitres,mil,mls,cc,ccm,mililitro,mililitros"
      ),
      (KitchenUnit(metric: "cl", .volume, 10, 1), "centiliter,centilitre,centiliters,centilitres"),
      (KitchenUnit(metric: "dl", .volume, 100, 1), "deciliter,decilitre,deziliter,decilitri"),
      (litre, "liter,liters,litre,litres,ltr,lt,litro,litros,litri,リットル"),
      // The Japanese cup, and the measure for rice.
      (KitchenUnit(metric: "カップ", .volume, 200, 1), ""),
      (KitchenUnit(metric: "合", .volume, 180, 1), ""),
      (KitchenUnit("krm", .volume, 1, 1, .spoons), "kryddmått"),
      (
        teaspoonful,
        """
        tl,teelöffel,teel,kaffeelöffel,c. à café,c. à c,c.à.c,c.à c,càc,cuil. à café,cuillère à café,\
        cuillères à café,cuillerée à café,cucchiaino,cucchiaini,cucchiaino da tè,cucchiaini da tè,cucharadita,\
        cucharaditas,cdta,cdtas,theelepel,theelepels,theel,tsk,tesked,teskedar,colher de chá,colheres de chá,小さじ
        """
      ),
      (
        tablespoonful,
        """
        el,esslöffel,eßlöffel,essl,c. à soupe,c. à s,c.à.s,c.à s,càs,cuil. à soupe,cuillère à soupe,\
        cuillères à soupe,cuillerée à soupe,cucchiaio,cucchiai,cucchiaio da tavola,cucharada,cucharadas,cda,cdas,\
        eetlepel,eetlepels,eetl,msk,matsked,matskedar,colher de sopa,colheres de sopa,大さじ
        """
      ),
      (teaspoon, "teaspoon,teaspoons,tsps,us teaspoon"),
      (tablespoon, "tablespoon,tablespoons,tbsps,tbs,tblsp,us tablespoon"),
      (fluidOunce, "fluid ounce,fluid ounces,floz,fl. oz,fl oz,fl ounce,us fluid ounce"),
      (cup, "c,cups,us cup,us cups"),
      (pint, "pints,pt,us pint"),
      (quart, "quarts,qt,qts,us quart"),
      (gallon, "gallons,gal,us gallon"),
      (imperialFluidOunce, "imperial fluid ounce,imperial fluid ounces,imp fl oz"),
      (imperialPint, "imperial pints,imp pint,imp pints"),
      (imperialQuart, "imperial quarts,imp quart"),
      (imperialGallon, "imperial gallons,imp gallon,imp gal"),
      (
        KitchenUnit("piece", .count, 1, 1, .none),
        """
        pieces,pc,pcs,stück,stücke,stk,st,pièce,pièces,pezzo,pezzi,pieza,piezas,unidad,unidades,unidade,stuk,stuks,個,コ
        """
      ),
      (
        KitchenUnit("dozen", .count, 12, 1, .none),
        "doz,dutzend,douzaine,dozzina,docena,dozijn,dussin,dúzia"
      ),
    ] + ownNames.map { (KitchenUnit(own: $0), $1) }

  /// Units without a fixed size.
  private static let ownNames: [(String, String)] = [
    ("bag", "bags,beutel,tüte,tüten,sacchetto,zak,påse"),
    ("ball", "balls,kugel,kugeln"),
    ("bar", "bars,tafel,tafeln,riegel,tablette,tablettes,tavoletta,tableta"),
    (
      "bottle",
      "bottles,flasche,flaschen,bouteille,bouteilles,bottiglia,bottiglie,botella,botellas,fles,flaska,garrafa"
    ),
    ("box", "boxes,schachtel,schachteln,caja,cajas,doos"),
    ("bulb", "bulbs,knolle,knollen,bulbe,bulbes,bulbo"),
    (
      "bunch",
      "bunches,bund,bunde,bd,botte,bottes,bouquet,bouquets,mazzo,mazzetto,mazzi,manojo,manojos,bosje,bosjes,bos,knippe,maço,束"
    ),
    (
      "can",
      "cans,tin,tins,dose,dosen,boîte,boîtes,boite,boites,scatola,scatole,lata,latas,blik,blikje,blikken,burk,burkar,缶"
    ),
    ("carton", "cartons,karton,brik,tetrapak"),
    (
      "clove",
      "cloves,zehe,zehen,gousse,gousses,spicchio,spicchi,diente,dientes,dente,dentes,teen,teentje,teentjes,klyfta,klyftor,片,かけ"
    ),
    ("cm", "centimeter,centimetre,centimeters,centimetres,zentimeter"),
    ("container", "containers,becher,vasetto,vasetti,pot de"),
    ("cube", "cubes,würfel,cubo,cubetti"),
    ("dash", "dashes,schuss,spritzer,filet,trait,goccio,chorrito,chorro,scheut,scheutje,skvätt"),
    ("drop", "drops,tropfen,goutte,gouttes,goccia,gocce,gota,gotas,druppel,druppels,droppar"),
    ("ear", "ears,kolben,épi,épis"),
    ("glass", "glasses,verre,verres,bicchiere,bicchieri,vaso,vasos,copo,copos"),
    (
      "handful",
      "handfuls,handvoll,hand voll,poignée,poignées,manciata,puñado,puñados,handvol,handje,näve,punhado"
    ),
    ("head", "heads,kopf,köpfe,tête,têtes,cespo,cabeza,krop,玉"),
    ("inch", "inches,zoll"),
    ("jar", "jars,glas,gläser,bocal,bocaux,barattolo,barattoli,tarro,tarros,pot,pots"),
    ("knob", "knobs,stückchen,noix,noce,nuez,klontje,klick"),
    (
      "leaf",
      "leaves,blatt,blätter,feuille,feuilles,foglia,foglie,hoja,hojas,folha,folhas,blaadje,blaadjes,blad,枚"
    ),
    ("loaf", "loaves,laib,laibe"),
    (
      "package",
      """
      packages,packet,packets,pack,packs,pkg,packung,packungen,päckchen,pck,pkt,paket,pakete,paquet,paquets,sachet,\
      sachets,confezione,confezioni,bustina,bustine,pacchetto,paquete,paquetes,sobre,sobres,pak,pakje,zakje,zakjes,\
      förpackning,pacote,pacotes,pk,pkgs,袋,パック
      """
    ),
    (
      "pinch",
      "pinches,prise,prisen,msp,messerspitze,pincée,pincées,pizzico,pizzichi,pizca,pizcas,snufje,snuf,nypa,pitada,ひとつまみ"
    ),
    ("portion", "portions,portionen,porzione,porzioni,ración,raciones,portie,porties"),
    ("punnet", "punnets,schale,schalen,schälchen,barquette,vaschetta,bakje"),
    ("rasher", "rashers"),
    ("roll", "rolls,rolle,rollen,rouleau,rouleaux,rotolo,rollo,rol"),
    ("sheet", "sheets,bogen,platte,platten"),
    (
      "slice",
      """
      slices,scheibe,scheiben,tranche,tranches,rondelle,rondelles,fetta,fette,rebanada,rebanadas,loncha,lonchas,\
      rodaja,rodajas,plak,plakken,plakje,plakjes,sneetje,sneetjes,snee,skiva,skivor,fatia,fatias,切れ
      """
    ),
    ("splash", "splashes"),
    (
      "sprig",
      "sprigs,zweig,zweige,brin,brins,rametto,rametti,ramita,ramitas,rama,takje,takjes,kvist,kvistar,ramo,stängel,stengel"
    ),
    ("stalk", "stalks,stange,stangen,branche,branches,gambo,gambi,costa,coste,stems,stelk,本"),
    ("stick", "sticks"),
    ("tasse", "tassen,tasses,tazza,tazze,taza,tazas,xícara,xícaras,kop,kopje,kopjes,kopp,koppar"),
    ("tub", "tubs"),
    ("tube", "tubes,tuben,tubetto"),
  ]

  /// Makes a unit of size `above / below`; both are constants and the denominator is never 0.
  private init(
    _ name: String, _ dimension: Dimension, _ above: Int64, _ below: Int64, _ system: System
  ) {
    self.init(
      name: name, dimension: dimension, size: Rational(above, over: below) ?? .one, system: system)
  }

  private init(metric name: String, _ dimension: Dimension, _ above: Int64, _ below: Int64) {
    self.init(name, dimension, above, below, .metric)
  }

  /// A unit that is a fraction of the US gallon of 231 cubic inches.
  private init(gallons name: String, _ parts: Int64) {
    self.init(name, .volume, 3_785_411_784, 1_000_000 * parts, .unitedStates)
  }

  private init(imperialGallons name: String, _ parts: Int64) {
    self.init(name, .volume, 454_609, 100 * parts, .imperial)
  }

  private init(own name: String) { self.init(name, .own(name), 1, 1, .none) }
}
