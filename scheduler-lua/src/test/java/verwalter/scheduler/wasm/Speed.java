package verwalter.scheduler.wasm;
import java.util.*;
import verwalter.model.*;
import verwalter.scheduler.lua.*;
public class Speed {
  public static void main(String[] a) throws Exception {
    var b = Budget.DEFAULT.withMemory(128<<20);
    for (int k=0;k<3;k++) {
    long t=System.nanoTime();
    var s = Modules.scheduler("rust", b);
    System.out.println("load rust ms "+(System.nanoTime()-t)/1000000);
    var peers=new HashMap<String,Object>();
    for(int i=0;i<1000;i++) peers.put("id"+i, Map.of("hostname","node"+i,"addr","10.0.0."+i+":8379","known_since",1234567890123L,"errors",0L));
    var roles=new HashMap<String,Object>();
    for(int i=0;i<50;i++) roles.put("role"+i, Map.of("versions",List.of("v1.0.1","v1.0.2"),"x",Map.of("y",i+0L,"z",1.5)));
    var in=Json.<Map<String,Object>>freeze(Map.of("current_host","node","peers",peers,"runtime",roles,"actions",Map.of()));
    for(int i=0;i<6;i++){ t=System.nanoTime(); var d=s.decide(in); System.out.println("decide ms "+(System.nanoTime()-t)/1000000+" instr "+d.instructions()+" out "+Json.canonical(d.data()).length()+" in "+Json.canonical(in).length());}
    s.close();
    t=System.nanoTime();
    var q = Modules.scheduler("behaviours", b);
    System.out.println("load behaviours ms "+(System.nanoTime()-t)/1000000);
    for (String w: new String[]{"b","f","i","c","b","f"}) { t=System.nanoTime(); try { q.decide(Map.of("x",w)); } catch(Exception e){ System.out.println(w+" "+e.getMessage()+" ms "+(System.nanoTime()-t)/1000000);} }
    }
  }
}
