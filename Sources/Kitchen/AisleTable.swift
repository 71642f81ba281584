/// The shop category of foods for which no recipe gives one; the table is meant to be edited.
///
/// Foods are listed in the singular, in English or German. The longest name that a food ends with decides, so
/// that "red onions" are onions, "peanut butter" is not butter and "Vollkornmehl" is flour.
package enum AisleTable {
  /// The category of a food, or `nil` if the table does not have it.
  package static func category(of food: String) -> GroceryCategory? {
    let words = food.foldedName.split(separator: " ").map(String.init)
    if words.contains(where: frozen.contains) { return .frozen }
    if words.contains(where: kept.contains) { return .pantry }
    for first in words.indices.suffix(mostWords) {
      let name = words[first...].joined(separator: " ")
      if let found = singulars(of: name).lazy.compactMap({ foods[$0] }).first { return found }
    }
    // German joins nouns, with the head at the end.
    guard let last = words.last, words.count == 1 || words.count == 2 else { return nil }
    for word in singulars(of: last) {
      let longest = min(longestGerman, word.count - 2)
      for length in stride(from: longest, through: 4, by: -1) {
        if let found = germanFoods[String(word.suffix(length))] { return found }
      }
    }
    return nil
  }

  /// A name and its possible singulars.
  private static func singulars(of name: String) -> [String] {
    var names = [name]
    if name.hasSuffix("ies") { names.append(name.dropLast(3) + "y") }
    for ending in ["s", "es", "n", "en", "e"] where name.hasSuffix(ending) {
      names.append(String(name.dropLast(ending.count)))
    }
    return names
  }

  private static let frozen: Set = [
    "frozen", "tk", "tiefgekühlt", "tiefgekühlte", "gefroren", "gefrorene",
  ]
  private static let kept: Set = [
    "dried", "canned", "tinned", "getrocknet", "getrocknete", "getrockneter", "getrocknetes",
  ]

  private static let foods = englishFoods.merging(germanFoods) { first, _ in first }

  // The number of words in the longest name; no more of an imported food name is examined.
  private static let mostWords = foods.keys.map { $0.split(separator: " ").count }.max() ?? 0
  private static let longestGerman = germanFoods.keys.map(\.count).max() ?? 0

  private static let englishFoods = table([
    (
      .produce,
      """
      apple,apricot,artichoke,asparagus,aubergine,avocado,banana,basil,bean sprout,beet,beetroot,blackberry,blueberry,\
      bok choy,broccoli,brussels sprout,cabbage,carrot,cauliflower,celeriac,celery,chard,cherry,chili,chilli,chive,\
      cilantro,clementine,coriander leaf,corn on the cob,courgette,cranberry,cucumber,date,dill,eggplant,endive,fennel,\
      fig,garlic,garlic clove,ginger,gooseberry,grape,grapefruit,green bean,herb,jalapeño,kale,kiwi,kohlrabi,leek,lemon,\
      lemongrass,lettuce,lime,mandarin,mango,melon,mint,mushroom,nectarine,okra,onion,orange,papaya,parsley,parsnip,\
      passion fruit,peach,pear,pepper,bell pepper,persimmon,pineapple,plum,pomegranate,potato,pumpkin,radish,raspberry,\
      rhubarb,rocket,rosemary,sage,salad,scallion,shallot,spinach,spring onion,squash,strawberry,swede,sweet potato,\
      sweetcorn,thyme,tofu,tomato,turnip,watercress,watermelon,yam,zucchini,bay leaf
      """
    ),
    (
      .dairy,
      """
      milk,butter,buttermilk,cheese,cheddar,mozzarella,parmesan,parmigiano,feta,gouda,ricotta,mascarpone,halloumi,brie,\
      cottage cheese,cream,sour cream,crème fraîche,creme fraiche,egg,egg yolk,egg white,yolk,yoghurt,yogurt,quark,skyr,\
      kefir,ghee,margarine
      """
    ),
    (
      .meat,
      """
      anchovy,bacon,beef,mince,ground beef,breast,chicken,chicken breast,chop,chorizo,cod,crab,drumstick,duck,fish,fillet,\
      ham,herring,lamb,lobster,mackerel,meat,meatball,mussel,pancetta,pork,prawn,prosciutto,rib,salami,salmon,sausage,\
      scallop,shrimp,sirloin,squid,steak,thigh,trout,turkey,veal,venison
      """
    ),
    (
      .pantry,
      """
      allspice,almond,almond milk,baking powder,baking soda,balsamic vinegar,barley,bean,black pepper,bouillon,breadcrumb,\
      broth,buckwheat,bulgur,caper,cardamom,cashew,cayenne pepper,chickpea,chili powder,chilli flake,chocolate,cinnamon,\
      clove,cocoa,cocoa powder,coconut,coconut cream,coconut milk,coffee,coriander,cornflour,cornstarch,couscous,cracker,\
      cumin,curry,curry paste,curry powder,fish sauce,flour,gelatin,hazelnut,honey,jam,juice,ketchup,lasagne,lentil,\
      macaroni,maple syrup,mayonnaise,muesli,mustard,noodle,nut,nutmeg,oat,oat milk,oatmeal,oil,olive,olive oil,oregano,\
      paprika,pasta,peanut,peanut butter,pecan,penne,peppercorn,pesto,pine nut,pistachio,polenta,poppy seed,powder,\
      quinoa,raisin,red pepper flake,rice,saffron,salt,sauce,seed,semolina,sesame,sesame oil,soy milk,soy sauce,spaghetti,\
      split pea,star anise,stock,stock cube,sugar,sultana,sunflower seed,syrup,tahini,tea,tomato paste,tomato puree,\
      tomato sauce,tortilla,tuna,turmeric,vanilla,vanilla extract,vinegar,walnut,white pepper,wine vinegar,yeast
      """
    ),
    (.frozen, "ice cream,ice cube,pea,puff pastry,fish finger,sorbet"),
  ])

  private static let germanFoods = table([
    (
      .produce,
      """
      apfel,äpfel,aprikose,artischocke,aubergine,avocado,banane,basilikum,beere,birne,blumenkohl,brokkoli,champignon,\
      chicorée,dattel,dill,erdbeere,feldsalat,fenchel,frühlingszwiebel,gemüse,granatapfel,gurke,heidelbeere,himbeere,\
      ingwer,johannisbeere,karotte,kartoffel,kirsche,knoblauch,knoblauchzehe,kohl,kohlrabi,koriander,kraut,kräuter,\
      kürbis,lauch,limette,mandarine,mangold,melone,minze,möhre,nektarine,obst,paprika,paprikaschote,petersilie,pfirsich,\
      pflaume,pilz,porree,radieschen,rettich,rhabarber,rosenkohl,rosmarin,rucola,salat,salbei,schalotte,schnittlauch,\
      sellerie,spargel,spinat,süßkartoffel,thymian,tomate,traube,wirsing,zitrone,zucchini,zwetschge,zwiebel,lorbeerblatt
      """
    ),
    (
      .dairy,
      """
      butter,buttermilch,crème fraîche,ei,eier,eigelb,eiweiß,eiweiss,frischkäse,joghurt,käse,margarine,milch,\
      parmesan,quark,rahm,sahne,schmand,schafskäse,speisequark
      """
    ),
    (
      .meat,
      """
      bratwurst,ente,fisch,fischfilet,fleisch,forelle,garnele,hackfleisch,hähnchen,hähnchenbrust,huhn,hühnchen,kabeljau,\
      kalb,lachs,lamm,mett,pute,putenbrust,rind,salami,schinken,schnitzel,schwein,speck,wurst,würstchen
      """
    ),
    (
      .pantry,
      """
      backpulver,bohne,brühe,couscous,curry,erdnuss,erdnussbutter,essig,gewürz,gries,grieß,haferflocke,haferdrink,\
      hafermilch,haselnuss,hefe,honig,kaffee,kakao,kardamom,ketchup,kichererbse,kokosmilch,konfitüre,kreuzkümmel,\
      kümmel,kurkuma,linse,mais,majoran,mandel,mandelmilch,marmelade,mehl,muskat,muskatnuss,natron,nelke,nudel,nüsse,\
      nuss,olive,olivenöl,oregano,paniermehl,paprikapulver,passata,pfeffer,pulver,reis,rosine,saft,salz,schokolade,senf,\
      sesam,sojamilch,sojasoße,sojasauce,soße,sauce,spaghetti,speisestärke,stärke,tee,tomatenmark,vanille,vanillezucker,\
      walnuss,wein,zimt,zucker,öl
      """
    ),
    (.frozen, "eis,blätterteig,erbse,fischstäbchen"),
  ])

  private static func table(_ lists: [(GroceryCategory, String)]) -> [String: GroceryCategory] {
    var table: [String: GroceryCategory] = [:]
    for (category, names) in lists {
      for name in names.split(separator: ",") { table[String(name)] = category }
    }
    return table
  }
}
